import { notFound } from '@cds/contracts';
import { actorOf, change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import { memberToChange } from '../domain/members.js';
import { memberEnd, rightOf } from '../domain/rights.js';
import { maySign } from '../domain/roles.js';
import { brandAndMembers, keepingAnOwner, presentMember } from '../people/members.js';
import type { PeopleModule } from '../people/module.js';
import type { RightEnds } from '../store/right-ends.js';

/** What a change of a member depends on. */
export type MemberDeps = { shell: WriteShell; people: PeopleModule; rightEnds: RightEnds };

/**
 * Removes a member or an invitation. The person's sessions in the brand end with it, and nothing that the person has
 * under way is signed after the answer (I74). Raises not_found, conflict (last_owner), unavailable while it is not
 * known what was signed. Source: docs/domain/access.md#members.
 */
export const memberRemove: WriteHandler<'member_remove', MemberDeps> = async (ctx, input, deps) => {
  const { shell, people, rightEnds } = deps;
  const outcome = await runWrite(shell, ctx, 'member_remove', 200, async () => {
    const { brand, members } = await brandAndMembers(ctx, people);
    const member = memberToChange(members, input.id, null);
    const person = await people.people.byId(member.person_id);
    if (person === null) throw notFound('member');

    return change(presentMember(member, person), {
      save: (tx) =>
        keepingAnOwner(tx, brand._id, people, async () => {
          await people.members.remove(tx, member);
          if (maySign(member.role)) await rightEnds.add(tx, [memberEnd(member)], ctx.networkNow);
        }),
      audit: [
        {
          ws: ctx.principal.workspace,
          actor: actorOf(ctx),
          action: 'member.removed',
          object: member._id,
          payload: { person: member.person_id, role: member.role },
        },
      ],
    });
  });
  if (outcome.ok) await rightEnds.settle([rightOf.member(input.id.toLowerCase())]);

  return new RecordedOutcome(outcome);
};

import { notFound } from '@cds/contracts';
import { actorOf, change, RecordedOutcome, runWrite, type WriteHandler } from '@cds/service';
import { memberToChange } from '../domain/members.js';
import { memberEnd, rightOf } from '../domain/rights.js';
import { maySign } from '../domain/roles.js';
import { brandAndMembers, keepingAnOwner, presentMember } from '../people/members.js';
import { roleVersionOf } from '../store/members.js';
import type { MemberDeps } from './member-remove.js';

/**
 * Changes a member's role, from its next request on. Nothing that the member has under way is signed after the answer
 * if the new role may not sign (I74). Raises not_found, conflict (last_owner), unavailable while it is not known what
 * was signed. Source: docs/domain/access.md#members.
 */
export const memberChange: WriteHandler<'member_change', MemberDeps> = async (ctx, input, deps) => {
  const { shell, people, rightEnds } = deps;
  const outcome = await runWrite(shell, ctx, 'member_change', 200, async () => {
    const { brand, members } = await brandAndMembers(ctx, people);
    const member = memberToChange(members, input.id, input.role);
    const person = await people.people.byId(member.person_id);
    if (person === null) throw notFound('member');

    return change(presentMember({ ...member, role: input.role }, person), {
      save: (tx) =>
        keepingAnOwner(tx, brand._id, people, async () => {
          await people.members.setRole(tx, member, input.role);
          if (!maySign(member.role) || maySign(input.role)) return;
          await rightEnds.add(tx, [memberEnd(member, roleVersionOf(member) + 1)], ctx.networkNow);
        }),
      audit: [
        {
          ws: ctx.principal.workspace,
          actor: actorOf(ctx),
          action: 'member.changed',
          object: member._id,
          payload: { person: member.person_id, from: member.role, to: input.role },
        },
      ],
    });
  });
  if (outcome.ok) await rightEnds.settle([rightOf.member(input.id.toLowerCase())]);

  return new RecordedOutcome(outcome);
};

import { notFound } from '@cds/contracts';
import { actorOf, change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import { memberEnd } from '../../rights/domain/rights.js';
import {
  appliedIn,
  type MemberRightsDeps,
  memberEnding,
  memberEnds,
  presentRights,
} from '../../rights/made-by-member.js';
import { memberToChange } from '../domain/members.js';
import { maySign } from '../domain/roles.js';
import { brandAndMembers, keepingAnOwner, presentMember } from '../members.js';
import { roleVersionOf } from '../store/members.js';

type Deps = MemberRightsDeps & { shell: WriteShell };

/**
 * Changes a role (docs/domain/sign-in.md#members). What the new role could not have made ends, and nothing is signed
 * after the answer that it may not sign (I74). Raises not_found, conflict (last_owner), unavailable.
 */
export const memberChange: WriteHandler<'member_change', Deps> = async (ctx, input, deps) => {
  const { shell, people } = deps;
  const { role } = input;
  const outcome = await runWrite(shell, ctx, 'member_change', 200, async () => {
    const { brand, members } = await brandAndMembers(ctx, people);
    const member = memberToChange(members, input.id, role);
    const person = await people.people.byId(member.person_id);
    if (person === null) throw notFound('member');
    const rights = await memberEnds(member, role, input.end_made ?? false, deps);
    const [ws, actor] = [ctx.principal.workspace, actorOf(ctx)];
    const end = await memberEnding(rights, { actor, at: ctx.networkNow }, ws, deps);

    return change(
      { ...presentMember({ ...member, role }, person), ...(await presentRights(rights, end.keys, deps)) },
      {
        save: (tx) =>
          keepingAnOwner(tx, brand._id, people, async () => {
            await people.members.setRole(tx, member, role, ctx.principal.person?.member);
            if (maySign(member.role) && !maySign(role))
              await deps.rightEnds.add(tx, [memberEnd(member, roleVersionOf(member) + 1)], ctx.networkNow);
            await end.save(tx);
          }),
        audit: [
          {
            ws,
            actor,
            action: 'member.changed',
            object: member._id,
            payload: { person: member.person_id, from: member.role, to: role },
          },
          ...end.audit,
        ],
      },
    );
  });

  await appliedIn(ctx, deps);
  return new RecordedOutcome(outcome);
};

import { notFound } from '@cds/contracts';
import { actorOf, type Ctx, change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
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

type Deps = MemberRightsDeps & { shell: WriteShell };

/**
 * Removes a member or an invitation with what ends by docs/domain/access.md#rights; nothing of theirs is signed after
 * the answer (I74). Raises not_found, conflict (last_owner), unavailable.
 */
export const memberRemove: WriteHandler<'member_remove', Deps> = (ctx, { id }, deps) =>
  removed(ctx, { operation: 'member_remove', id, endMade: false }, deps);

/** As memberRemove, but the keys and webhook endpoints that the person made end with it. */
export const memberRemoveAll: WriteHandler<'member_remove_all', Deps> = (ctx, { id }, deps) =>
  removed(ctx, { operation: 'member_remove_all', id, endMade: true }, deps);

type Removal = { operation: 'member_remove' | 'member_remove_all'; id: string; endMade: boolean };

const removed = async (ctx: Ctx, { operation, id, endMade }: Removal, deps: Deps): Promise<RecordedOutcome> => {
  const { shell, people } = deps;
  const outcome = await runWrite(shell, ctx, operation, 200, async () => {
    const { brand, members } = await brandAndMembers(ctx, people);
    const member = memberToChange(members, id, null);
    const person = await people.people.byId(member.person_id);
    if (person === null) throw notFound('member');
    const rights = await memberEnds(member, null, endMade, deps);
    const [ws, actor] = [ctx.principal.workspace, actorOf(ctx)];
    const end = await memberEnding(rights, { actor, at: ctx.networkNow }, ws, deps);

    return change(
      { ...presentMember(member, person), ...(await presentRights(rights, end.keys, deps)) },
      {
        save: (tx) =>
          keepingAnOwner(tx, brand._id, people, async () => {
            await people.members.remove(tx, member, ctx.principal.person?.member);
            if (maySign(member.role)) await deps.rightEnds.add(tx, [memberEnd(member)], ctx.networkNow);
            await end.save(tx);
          }),
        audit: [
          {
            ws,
            actor,
            action: 'member.removed',
            object: member._id,
            payload: { person: member.person_id, role: member.role },
          },
          ...end.audit,
        ],
      },
    );
  });

  await appliedIn(ctx, deps);
  return new RecordedOutcome(outcome);
};

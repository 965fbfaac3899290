import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { type MemberRightsDeps, memberEnds, presentRights } from '../../rights/made-by-member.js';
import { brandAndMembers } from '../members.js';

/**
 * What would end with a removal or another role, and what would stay (docs/domain/access.md#rights). Raises not_found.
 */
export const memberRights: ReadHandler<'member_rights', MemberRightsDeps> = async (ctx, input, deps) => {
  const { members } = await brandAndMembers(ctx, deps.people);
  const member = members.find(({ _id }) => _id === input.id.toLowerCase());
  if (member === undefined) throw notFound('member');
  const rights = await memberEnds(member, input.role ?? null, false, deps);
  const children = (await Promise.all(rights.ends.grants.map((grant) => deps.keys.madeThrough(grant)))).flat();

  return presentRights(rights, children, deps);
};

import { actorOf, type WriteHandler, type WriteShell } from '@cds/service';
import { grantEnder } from '../oauth/end-grant.js';
import { SESSION_COOKIE, sessionCookie, setCookie } from '../people/cookies.js';
import { type MemberRightsDeps, presentRights, signOutEnds } from '../rights/made-by-member.js';

type Deps = MemberRightsDeps & { shell: WriteShell };

/**
 * Ends every session of the person: the next request of each is 401. Before, it ends what they let clients do that have
 * not fetched their tokens yet, or every client of theirs, so that a person whose request failed is still signed in and
 * can send it again. Raises unavailable while it is not known what an ended client signed. Source:
 * docs/domain/access.md#sign-in, docs/domain/access.md#rights.
 */
export const sessionsEnd: WriteHandler<'sessions_end', Deps> = async (ctx, input, deps) => {
  const { people, keys, shell } = deps;
  const id = ctx.principal.person?.id ?? '';
  const rights = await signOutEnds(await people.members.ofPerson(id), input.end_clients ?? false, deps);
  const children = (await Promise.all(rights.ends.grants.map((grant) => keys.madeThrough(grant)))).flat();

  const endGrant = grantEnder(deps, shell);
  for (const { _id } of rights.ends.grants) await endGrant(_id, 'signed out', actorOf(ctx));
  await people.sessions.endAllOf(id);

  setCookie(ctx, sessionCookie(people.appUrl, SESSION_COOKIE, '', 0));
  return presentRights(rights, children, deps);
};

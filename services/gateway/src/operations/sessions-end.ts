import { actorOf, type WriteHandler, type WriteShell } from '@cds/service';
import { grantEnder } from '../oauth/end-grant.js';
import { SESSION_COOKIE, sessionCookie, setCookie } from '../people/cookies.js';
import type { PeopleModule } from '../people/module.js';
import type { EndingDeps } from '../rights/ending.js';

type Deps = EndingDeps & { people: PeopleModule; shell: WriteShell };

/**
 * Ends every session of the person: the next request of each is 401. So ends what they let clients do that have not
 * fetched their tokens yet. Source: docs/domain/access.md#sign-in, docs/domain/access.md#rights.
 */
export const sessionsEnd: WriteHandler<'sessions_end', Deps> = async (ctx, _input, deps) => {
  const { people, oauthRows, shell } = deps;
  const id = ctx.principal.person?.id ?? '';
  await people.sessions.endAllOf(id);

  const endGrant = grantEnder(deps, shell);
  const members = (await people.members.ofPerson(id)).map(({ _id }) => _id);
  for (const grant of await oauthRows.underWayOf(members)) await endGrant(grant._id, 'signed out', actorOf(ctx));

  setCookie(ctx, sessionCookie(people.appUrl, SESSION_COOKIE, '', 0));
  return null;
};

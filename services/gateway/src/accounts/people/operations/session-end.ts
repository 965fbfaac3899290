import { actorOf, type WriteHandler, type WriteShell } from '@cds/service';
import { SESSION_COOKIE, sessionCookie, setCookie } from '../../../edge/port.js';
import { grantEnder } from '../../oauth/end-grant.js';
import type { EndingDeps } from '../../rights/ending.js';
import type { PeopleModule } from '../module.js';

type Deps = EndingDeps & { people: PeopleModule; shell: WriteShell };

/**
 * Ends the session: the next request with its cookie is 401, whatever fails afterwards. Then it ends what the session
 * let clients do that have not fetched their tokens yet, also one that is fetching them; clients that have their tokens
 * stay signed in. Source: docs/domain/sign-in.md#sign-in, docs/domain/access.md#rights.
 */
export const sessionEnd: WriteHandler<'session_end', Deps> = async (ctx, _input, deps) => {
  const { people, oauthRows, shell } = deps;
  const { session = '', member = '' } = ctx.principal.person ?? {};
  await people.sessions.end(session);

  const endGrant = grantEnder(deps, shell);
  for (const { _id } of await oauthRows.grantsUnderWay(member, session))
    await endGrant(_id, 'signed out', actorOf(ctx));

  setCookie(ctx, sessionCookie(people.appUrl, SESSION_COOKIE, '', 0));
  return null;
};

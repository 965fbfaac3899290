import { actorOf, type WriteHandler, type WriteShell } from '@cds/service';
import { SESSION_COOKIE, sessionCookie, setCookie } from '../../../edge/port.js';
import { grantEnder } from '../../oauth/end-grant.js';
import type { EndingDeps } from '../../rights/ending.js';
import type { PeopleModule } from '../module.js';

type Deps = EndingDeps & { people: PeopleModule; shell: WriteShell };

/**
 * Ends the session first, then what it allowed clients that have no tokens yet, or are fetching them; signed-in clients
 * stay (docs/domain/sign-in.md#sign-in, docs/domain/access.md#rights).
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

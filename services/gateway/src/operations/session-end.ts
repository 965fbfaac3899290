import type { WriteHandler } from '@cds/service';
import { SESSION_COOKIE, sessionCookie, setCookie } from '../people/cookies.js';
import type { PeopleModule } from '../people/module.js';

/** Ends the session: the next request with its cookie is 401. Source: docs/domain/access.md#sign-in. */
export const sessionEnd: WriteHandler<'session_end', { people: PeopleModule }> = async (ctx, _input, { people }) => {
  await people.sessions.end(ctx.principal.person?.session ?? '');

  setCookie(ctx, sessionCookie(people.appUrl, SESSION_COOKIE, '', 0));
  return null;
};

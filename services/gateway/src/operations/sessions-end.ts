import type { WriteHandler } from '@cds/service';
import { SESSION_COOKIE, sessionCookie, setCookie } from '../people/cookies.js';
import type { PeopleModule } from '../people/module.js';

/** Ends every session of the person: the next request of each is 401. Source: docs/domain/access.md#sign-in. */
export const sessionsEnd: WriteHandler<'sessions_end', { people: PeopleModule }> = async (ctx, _input, { people }) => {
  await people.sessions.endAllOf(ctx.principal.person?.id ?? '');

  setCookie(ctx, sessionCookie(people.appUrl, SESSION_COOKIE, '', 0));
  return null;
};

import type { WriteHandler } from '@cds/service';
import { OPS_SESSION_COOKIE, sessionCookie, setCookie } from '../../../edge/port.js';
import type { PeopleModule } from '../../people/module.js';

/** Ends an operator's session. A token has none: nothing happens. Source: docs/domain/operators.md#operators. */
export const opsSessionEnd: WriteHandler<'ops_session_end', { people: PeopleModule }> = async (
  ctx,
  _input,
  { people },
) => {
  const { session } = ctx.principal.operator ?? {};
  if (session !== undefined) {
    await people.operators.sessions.end(session);
    setCookie(ctx, sessionCookie(people.appUrl, OPS_SESSION_COOKIE, '', 0));
  }
  return null;
};

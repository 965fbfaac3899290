import { AppError, type OpsMe } from '@cds/contracts';
import type { Ctx, WriteShell } from '@cds/service';
import { OPS_SESSION_COOKIE, sessionCookie, setCookie } from '../../edge/port.js';
import type { PeopleModule } from '../people/module.js';
import { noteSession } from '../people/new-session.js';
import { LIFE_MS } from '../people/store/sessions.js';
import { operatorSignedIn } from '../people/texts.js';
import { isSince } from './domain/operator-person.js';

/** Takes a sign-in link of the operator's team and sets the session's cookie. Raises unauthorized. */
export const startOperatorSession = async (
  ctx: Ctx,
  operation: string,
  token: string,
  deps: { shell: WriteShell; people: PeopleModule },
): Promise<OpsMe> => {
  const { operators, appUrl } = deps.people;
  const begun = await operators.auth.redeem(token);
  const person = begun === null ? null : await operators.people.byId(begun.person);
  if (begun === null || person === null || !isSince(person, begun.linkMadeAt)) {
    if (begun !== null) await operators.sessions.end(begun.session);
    throw new AppError('unauthorized', 'This sign-in link is unknown, was used or has expired. Ask for a new one.');
  }
  const message = (where: string, at: Date) => operatorSignedIn(person.email, where, at);
  await noteSession(ctx, operation, begun, { ws: '', actor: `operator:${person._id}`, message }, deps);

  setCookie(ctx, sessionCookie(appUrl, OPS_SESSION_COOKIE, begun.token, LIFE_MS / 1_000));
  return { id: person._id, name: person.name, email: person.email, role: person.role };
};

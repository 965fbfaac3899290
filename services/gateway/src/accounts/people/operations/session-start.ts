import { AppError } from '@cds/contracts';
import type { WriteHandler, WriteShell } from '@cds/service';
import { SESSION_COOKIE, sessionCookie, setCookie } from '../../../edge/port.js';
import type { PeopleModule } from '../module.js';
import { noteSession } from '../new-session.js';
import { entrancesOf, firstOf, placeOf, presentMe } from '../places.js';
import { LIFE_MS } from '../store/sessions.js';
import { signedIn } from '../texts.js';

const noSession = (): AppError =>
  new AppError('unauthorized', 'This sign-in link is unknown, was used or has expired. Ask for a new one.');

/** Starts a session in the first live workspace by a link (docs/domain/sign-in.md#sign-in). Raises unauthorized. */
export const sessionStart: WriteHandler<'session_start', { shell: WriteShell; people: PeopleModule }> = async (
  ctx,
  { token },
  { shell, people },
) => {
  const begun = await people.auth.redeem(token);
  if (begun === null) throw noSession();

  const [person, all] = await Promise.all([people.people.byId(begun.person), entrancesOf(begun.person, people)]);
  // Whoever was removed and invited again since the link was made asks for another one.
  const entrances = all.filter(({ member }) => member.created_at <= begun.linkMadeAt);
  const first = firstOf(entrances);
  const place = first === undefined ? null : await placeOf(first, people);
  if (
    person === null ||
    first === undefined ||
    place === null ||
    !(await people.sessions.place(begun.session, place))
  ) {
    await people.sessions.end(begun.session);
    throw noSession();
  }
  const message = (where: string, at: Date) => signedIn(people.appUrl, person.email, where, at);
  const whose = { ws: place.workspace, actor: `person:${person._id}`, message };
  await noteSession(ctx, 'session_start', begun, whose, { shell, people });
  await people.members.joined(begun.person, ctx.networkNow);

  setCookie(ctx, sessionCookie(people.appUrl, SESSION_COOKIE, begun.token, LIFE_MS / 1_000));
  return presentMe(person, first, entrances);
};

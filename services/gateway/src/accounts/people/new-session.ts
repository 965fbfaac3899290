import { type Audited, actorOf, type Ctx, change, commitChange, type WriteShell } from '@cds/service';
import type { Begun } from './auth.js';
import { auditedFrom, type From, keptUserAgent, shownFrom, whereFrom } from './domain/sign-in-from.js';
import type { PeopleModule } from './module.js';
import type { Message } from './store/messages.js';

export const fromOf = ({ client }: Pick<Ctx, 'client'>): From => ({
  address: client?.address ?? 'unknown',
  user_agent: keptUserAgent(client?.userAgent ?? ''),
});

/** Whose session it is: the workspace that it begins in, the person as the audit names them, and what they are sent. */
type Whose = { ws: string; actor: string; message: (where: string, at: Date) => Message };

/**
 * Tells the person of a new session; its cookie is given out only after the commit (docs/domain/sign-in.md#sign-in).
 */
export const noteSession = async (
  ctx: Ctx,
  operation: string,
  { session, askedFrom }: Begun,
  { ws, actor, message }: Whose,
  { shell, people }: { shell: WriteShell; people: Pick<PeopleModule, 'messages'> },
): Promise<void> => {
  const [from, at] = [fromOf(ctx), ctx.networkNow];
  const noted = change(null, {
    save: (tx) => people.messages.queue(tx, message(whereFrom(from, askedFrom), at), at),
    audit: [
      {
        ws,
        actor,
        action: 'session.started',
        object: session,
        reason: auditedFrom(from, askedFrom),
        payload: { from, asked_from: askedFrom },
      },
    ],
  });
  await commitChange(shell, ctx, operation, 200, async () => noted, false);
};

/** What the audit of a brand says of a session that began in another one. */
export const enteredFrom = (ctx: Ctx, ws: string, session: string): Audited => {
  const from = fromOf(ctx);
  const reason = `from ${shownFrom(from)}`;
  return { ws, actor: actorOf(ctx), action: 'session.entered', object: session, reason, payload: { from } };
};

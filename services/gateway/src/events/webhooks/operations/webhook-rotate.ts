import { randomBytes, randomUUID } from 'node:crypto';
import { conflict } from '@cds/contracts';
import { actorOf, change, runWrite, type WriteHandler } from '@cds/service';
import { secretIdOf, shownOnce } from '../../../accounts/port.js';
import { FORMER_MS, SECRET_BYTES, secretText, signing } from '../domain/webhook-signature.js';
import { answered, endpointOf } from '../endpoint-of.js';
import { SECRET_GONE, type WebhookMakeDeps } from './webhook-make.js';

/** Secrets of one endpoint that sign at once (docs/domain/events.md#webhooks). */
const MAX_WEBHOOK_SECRETS = 5;

/**
 * Gives a webhook endpoint a new secret, shown once; the old one also signs for 24 hours. Raises not_found, conflict
 * (bad_state at five secrets that sign; secret_gone on a replay after ten minutes). Source:
 * docs/domain/events.md#webhooks.
 */
export const webhookRotate: WriteHandler<'webhook_rotate', Omit<WebhookMakeDeps, 'feed'>> = async (
  ctx,
  input,
  { shell, hooks, shownSecrets },
) => {
  const { webhooks } = hooks;
  const at = ctx.networkNow;
  const outcome = await runWrite(shell, ctx, 'webhook_rotate', 200, async () => {
    const row = await endpointOf(ctx, input.id, hooks);
    const now = signing(row.secrets, at);
    if (now.length >= MAX_WEBHOOK_SECRETS)
      throw conflict(
        'bad_state',
        `${MAX_WEBHOOK_SECRETS} secrets of this endpoint sign at present. Rotate again when the oldest has ended.`,
      );

    const secret = secretText(randomBytes(SECRET_BYTES));
    const former = now.map((one) => ({ ...one, ends_at: one.ends_at ?? new Date(at.getTime() + FORMER_MS) }));
    const secrets = [webhooks.sealed(row._id, randomUUID(), secret, at), ...former];
    const webhook = await answered(ctx, { ...row, secrets }, hooks);
    return change(
      { webhook, secret: '' },
      {
        save: async (tx) => {
          await webhooks.change(tx, row, { secrets });
          await shownSecrets.add(tx, secretIdOf(ctx), secret, at);
        },
        audit: [{ ws: row.ws, actor: actorOf(ctx), action: 'webhook.rotated', object: row._id, payload: {} }],
      },
    );
  });

  return shownOnce(ctx, outcome, shownSecrets, SECRET_GONE);
};

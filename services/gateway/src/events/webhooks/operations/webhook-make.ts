import { randomBytes, randomUUID } from 'node:crypto';
import { conflict, unprocessable } from '@cds/contracts';
import {
  actorOf,
  change,
  isDuplicate,
  LostRace,
  postUrl,
  runWrite,
  UnsafeFetch,
  type WriteHandler,
  type WriteShell,
} from '@cds/service';
import { type ShownSecrets, secretIdOf, shownOnce } from '../../../accounts/port.js';
import type { Feed } from '../../feed/store/feed.js';
import type { WebhookStore } from '../deps.js';
import { SECRET_BYTES, secretText } from '../domain/webhook-signature.js';
import { presentWebhook } from '../present.js';
import type { WebhookRow } from '../store/webhooks.js';

/** Webhook endpoints of one workspace (docs/domain/events.md#webhooks). */
const MAX_WEBHOOKS = 10;

export type WebhookMakeDeps = {
  shell: WriteShell;
  hooks: WebhookStore;
  feed: Pick<Feed, 'head'>;
  shownSecrets: ShownSecrets;
};

export const SECRET_GONE =
  'This secret was made more than ten minutes ago, and it is shown no more. If nobody kept it, rotate it.';

/** The URL as it is stored. Raises unprocessable for one that nothing is sent to. */
const storedUrl = (text: string, loopback: boolean): string => {
  try {
    const url = postUrl(text, loopback);
    url.hash = '';
    return url.href;
  } catch (error) {
    if (!(error instanceof UnsafeFetch)) throw error;
    const message = 'must be an https URL on port 443 of a public host name, without credentials';
    throw unprocessable([{ field: 'url', message }]);
  }
};

const freePlace = (rows: readonly WebhookRow[]): number => {
  const taken = new Set(rows.map(({ place }) => place));
  const place = Array.from({ length: MAX_WEBHOOKS }, (_none, at) => at).find((at) => !taken.has(at));
  if (place !== undefined) return place;
  throw conflict(
    'too_many_webhooks',
    `This workspace already has ${MAX_WEBHOOKS} webhook endpoints, the most it can have. Delete one that is no longer used.`,
  );
};

/**
 * Makes a webhook endpoint that is sent what happens from now on, and answers its secret, which is shown once. Raises
 * unprocessable, conflict (too_many_webhooks; secret_gone on a replay after ten minutes). Source:
 * docs/domain/events.md#webhooks.
 */
export const webhookMake: WriteHandler<'webhook_make', WebhookMakeDeps> = async (ctx, input, deps) => {
  const { shell, hooks, feed, shownSecrets } = deps;
  const { webhooks } = hooks;
  const ws = ctx.principal.workspace;
  const at = ctx.networkNow;
  const outcome = await runWrite(shell, ctx, 'webhook_make', 201, async () => {
    const url = storedUrl(input.url, webhooks.loopback);
    const [rows, seq] = await Promise.all([webhooks.ofWorkspace(ws), feed.head(ws)]);
    const place = freePlace(rows);

    const [_id, secret] = [randomUUID(), secretText(randomBytes(SECRET_BYTES))];
    const row: WebhookRow = {
      _id,
      ws,
      place,
      url,
      kinds: input.kinds ?? null,
      secrets: [webhooks.sealed(_id, randomUUID(), secret, at)],
      enabled: true,
      disabled_at: null,
      disabled_because: null,
      failing_since: null,
      seq,
      rev: 0,
      created_at: at,
      created_by: actorOf(ctx),
    };
    return change(
      { webhook: presentWebhook(row, 0, at), secret: '' },
      {
        save: async (tx) => {
          try {
            await webhooks.insert(tx, row);
          } catch (error) {
            // Another endpoint took the place; deciding again finds the next one.
            throw isDuplicate(error) ? new LostRace('webhook') : error;
          }
          await shownSecrets.add(tx, secretIdOf(ctx), secret, at);
        },
        audit: [
          {
            ws,
            actor: actorOf(ctx),
            action: 'webhook.made',
            object: _id,
            payload: { host: new URL(url).host, kinds: row.kinds },
          },
        ],
      },
    );
  });

  return shownOnce(ctx, outcome, shownSecrets, SECRET_GONE);
};

import { hasRole, type WebhookCause } from '@cds/contracts';
import { change, commitChange, counterOf, LostRace, systemContext } from '@cds/service';
import { webhookDisabled } from '../../accounts/port.js';
import type { WebhookWork } from './deps.js';
import type { AfterFailure } from './domain/webhook-retries.js';
import type { AttemptRow, DeliveryRow } from './store/webhook-deliveries.js';
import type { LaneRow } from './store/webhook-lanes.js';
import type { WebhookRow } from './store/webhooks.js';

const LIMIT_MS = 15_000;

const disabled = counterOf('cds_webhooks_disabled_total');

/** The addresses of those who may enable an endpoint again: the brand's admins and owners who can sign in. */
const readersOf = async ({ people }: WebhookWork, brandId: string): Promise<string[]> => {
  const members = await people.members.ofBrand(brandId);
  const admins = members.filter(({ role, joined_at }) => joined_at !== null && hasRole(role, 'admin'));
  return (await people.people.all(admins.map(({ person_id }) => person_id))).map(({ email }) => email);
};

/**
 * Disables an endpoint after an attempt, and writes to the admins of its brand: both or neither, and once, whoever else
 * finds the same. What waits keeps its place. `follows` decides on the endpoint as it is now: after a success meanwhile
 * the attempt is a failure like any other. Source: docs/domain/events.md#webhooks.
 */
export const disable = async (
  work: WebhookWork,
  { lane, endpoint: { ws, _id }, delivery }: { lane: LaneRow; endpoint: WebhookRow; delivery: DeliveryRow },
  attempt: AttemptRow,
  follows: (endpoint: WebhookRow) => AfterFailure,
): Promise<void> => {
  const { shell, webhooks, deliveries, lanes, people } = work;
  const now = await shell.store.now();
  const workspace = await people.workspaces.byId(ws);
  if (workspace === null) throw new Error('an endpoint has no workspace');
  const sandbox = workspace.kind === 'sandbox';
  const readers = await readersOf(work, workspace.brand_id);
  const ctx = systemContext({ workspace: ws, sandbox, now, networkNow: now, limitMs: LIMIT_MS });
  let because: WebhookCause | null = null;

  await commitChange(shell, ctx, 'webhook_disable', 200, async () => {
    const endpoint = await webhooks.byId(ws, _id);

    const then = endpoint?.enabled === true ? follows(endpoint) : { at: now };
    const cause = 'because' in then ? then.because : null;
    because = cause;

    return change(null, {
      save: async (tx) => {
        await deliveries.attempted(tx, delivery, attempt, 'waiting');
        const held = await lanes.failed(tx, lane, lane.first_at ?? attempt.at, 'at' in then ? then.at : now);
        if (endpoint === null || cause === null) return;
        if (!held) throw new LostRace('webhook lane');
        await webhooks.change(tx, endpoint, { enabled: false, disabled_at: now, disabled_because: cause });
        await lanes.pause(tx, ws, _id);
        for (const to of readers) {
          const message = webhookDisabled(people.appUrl, { id: _id, url: endpoint.url, because: cause, sandbox }, to);
          await people.messages.queue(tx, message, now);
        }
      },
      audit:
        cause === null
          ? []
          : [{ ws, actor: 'system', action: 'webhook.disabled', object: _id, payload: { because: cause } }],
    });
  });
  if (because !== null) disabled.add(1, { because });
};

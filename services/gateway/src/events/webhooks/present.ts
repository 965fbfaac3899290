import type { Webhook, WebhookDelivery } from '@cds/contracts';
import { signing } from './domain/webhook-signature.js';
import type { DeliveryRow } from './store/webhook-deliveries.js';
import type { LaneRow } from './store/webhook-lanes.js';
import type { WebhookRow } from './store/webhooks.js';

const text = (at: Date | null): string | null => at?.toISOString() ?? null;

export const presentWebhook = (row: WebhookRow, waiting: number, now: Date): Webhook => ({
  id: row._id,
  url: row.url,
  kinds: row.kinds,
  state: row.enabled ? 'enabled' : 'disabled',
  disabled_at: text(row.disabled_at),
  disabled_because: row.disabled_because,
  failing_since: text(row.failing_since),
  waiting,
  secrets: signing(row.secrets, now).map((one) => ({
    made_at: one.made_at.toISOString(),
    ends_at: text(one.ends_at),
  })),
  created_at: row.created_at.toISOString(),
  created_by: row.created_by,
});

/** When a delivery is tried next: only the first of a lane that is still sent to has a time. */
const nextAttempt = ({ state, seq }: DeliveryRow, lane: LaneRow | undefined): Date | null =>
  state === 'waiting' && lane !== undefined && !lane.paused && lane.head === seq ? lane.due_at : null;

export const presentDelivery = (row: DeliveryRow, lane: LaneRow | undefined): WebhookDelivery => ({
  id: row._id,
  event_id: row.event_id,
  kind: row.kind,
  body: row.body,
  state: row.state,
  attempts: row.attempts.map(({ at, status, problem, duration_ms }) => ({
    at: at.toISOString(),
    status,
    problem,
    duration_ms,
  })),
  next_attempt_at: text(nextAttempt(row, lane)),
  created_at: row.created_at.toISOString(),
});

import { setTimeout as delay } from 'node:timers/promises';
import {
  counterOf,
  Deadline,
  histogramOf,
  inTx,
  isDatabaseUnavailable,
  ofNetwork,
  type Posted,
  SAFE_POST,
  type Sweep,
  safePost,
} from '@cds/service';
import type { WebhookWork } from './deps.js';
import { disable } from './disable.js';
import { AT_ONCE, chosen } from './domain/webhook-choice.js';
import { type AttemptOutcome, afterFailure, outcomeOf } from './domain/webhook-retries.js';
import { signatureOf, signing } from './domain/webhook-signature.js';
import type { AttemptRow, DeliveryRow } from './store/webhook-deliveries.js';
import type { LaneRow } from './store/webhook-lanes.js';
import type { WebhookRow } from './store/webhooks.js';

/** How long an attempt may hold its lane, from its claim until it is recorded; then another process may try. */
const LEASE_MS = 30_000;
/** An attempt that begins later than this after its claim is left to another process. */
const LATE_MS = 5_000;
/** How long the events of a suspended brand wait until they are looked at again. */
const SUSPENDED_MS = 60_000;
const RECORD_MS = 10_000;
const USER_AGENT = 'creator-distribution-webhooks/1';

const attempts = counterOf('cds_webhook_attempts_total');
const durations = histogramOf('cds_webhook_attempt_duration_seconds');

type Attempt = { lane: LaneRow; endpoint: WebhookRow; delivery: DeliveryRow };

const outcome = (posted: Posted): AttemptOutcome =>
  'problem' in posted ? { status: null, problem: posted.problem } : outcomeOf(posted.status);

/**
 * Sends what is due. Every replica does; a lane is held by one of them for one attempt. Attempts run beside each other
 * within bounds, and none holds up the sweep that begins them. A crash before an attempt is recorded lets another
 * process send it again under the same id. Source: docs/domain/events.md#webhooks.
 */
export class WebhookSender {
  private readonly running = new Map<string, { lane: LaneRow; attempt: Promise<void> }>();
  private stopped = false;

  constructor(private readonly work: WebhookWork) {}

  sweep(): Sweep {
    return ofNetwork('webhook deliveries', 1_000, () => this.begin());
  }

  /** Begins what was just made in this process, before the next sweep, which retries what fails here. */
  wake(): void {
    Deadline.detached(() => this.begin()).catch((err: unknown) =>
      this.work.shell.log.warn({ err }, 'webhook deliveries did not begin; the next sweep retries'),
    );
  }

  /** Begins what is due and has a place, and returns how much that was. */
  async begin(): Promise<number> {
    let begun = 0;
    const full = new Set<string>();
    while (!this.stopped) {
      const due = (await this.work.lanes.due([...full])).filter(({ _id }) => !this.running.has(_id));
      if (due.length === 0) break;
      const endpoints = await this.work.webhooks.those([...new Set(due.map(({ endpoint_id }) => endpoint_id))]);
      if (this.stopped) break;
      // Another call may have begun some meanwhile.
      const free = due.filter(({ _id }) => !this.running.has(_id));
      const isFailing = (id: string) => (endpoints.get(id)?.failing_since ?? null) !== null;
      const picked = chosen(
        free,
        [...this.running.values()].map(({ lane }) => lane),
        isFailing,
      );
      for (const lane of picked) this.run(lane);
      begun += picked.length;
      if (picked.length === due.length || this.running.size >= AT_ONCE.all) break;
      // Who has no place now waits for the next turn, and the page behind it is looked at.
      for (const lane of due) if (!picked.includes(lane)) full.add(lane.endpoint_id);
    }
    return begun;
  }

  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ attempt }) => attempt));
  }

  /** Begins nothing more, and waits for what runs, which is never longer than an attempt. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.race([this.idle(), delay(SAFE_POST.ms + RECORD_MS, undefined, { ref: false })]);
  }

  private run(lane: LaneRow): void {
    const attempt = Deadline.detached(() => this.follow(lane))
      .catch((err: unknown) => {
        const { _id: row, endpoint_id: endpoint } = lane;
        const fields = isDatabaseUnavailable(err) ? { row, endpoint } : { err, row, endpoint };
        this.work.shell.log.warn(fields, 'an attempt of a webhook was not recorded; it will be repeated');
      })
      .finally(() => {
        this.running.delete(lane._id);
        // Its place is free for whoever waits.
        if (!this.stopped) this.wake();
      });
    this.running.set(lane._id, { lane, attempt });
  }

  /** Sends the deliveries of a lane one after the other, until one fails or none is left. */
  private async follow(due: LaneRow): Promise<void> {
    for (let lane: LaneRow | null = due; lane !== null && !this.stopped; ) lane = await this.one(lane);
  }

  /** One attempt of a lane that is due; returns the lane when it is due again. */
  private async one(due: LaneRow): Promise<LaneRow | null> {
    const claimedAt = performance.now();
    const lane = await this.work.lanes.claim(due, LEASE_MS);
    if (lane === null) return null;
    const { webhooks, deliveries, lanes, people, shell } = this.work;
    const [endpoint, workspace, delivery] = await Promise.all([
      webhooks.byId(lane.ws, lane.endpoint_id),
      people.workspaces.byId(lane.ws),
      deliveries.next(lane),
    ]);
    if (endpoint === null || workspace === null || delivery === null)
      return inTx(shell.store, Deadline.in(RECORD_MS), async (tx) => {
        const gone = endpoint === null || workspace === null;
        return lanes.advance(tx, lane, gone ? null : await deliveries.next(lane, tx));
      });
    if (workspace.suspended) await lanes.putOff(lane, SUSPENDED_MS);
    else if (performance.now() - claimedAt <= LATE_MS) return this.send({ lane, endpoint, delivery });
    return null;
  }

  private async send(of: Attempt): Promise<LaneRow | null> {
    const { webhooks, shell, outside } = this.work;
    const { endpoint, delivery } = of;
    const at = await shell.store.now();
    const seconds = Math.floor(at.getTime() / 1_000);
    const secrets = signing(endpoint.secrets, at).map((secret) => webhooks.secretOf(endpoint, secret));
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': delivery._id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(secrets, delivery._id, seconds, delivery.body),
    };
    const began = performance.now();
    const post = { body: delivery.body, headers, loopback: webhooks.loopback };
    const ended = outcome(await safePost(endpoint.url, post, outside));
    const tookMs = Math.round(performance.now() - began);
    attempts.add(1, { outcome: ended.problem ?? 'delivered' });
    durations.record(tookMs / 1_000);
    shell.log.info(
      { endpoint: endpoint._id, delivery: delivery._id, workspace: endpoint.ws, ...ended, duration_ms: tookMs },
      'a webhook was sent',
    );
    shell.failpoints.hit('webhook.sent');
    return this.record(of, ended, { at, ...ended, duration_ms: tookMs });
  }

  private async record(of: Attempt, ended: AttemptOutcome, attempt: AttemptRow): Promise<LaneRow | null> {
    const { webhooks, deliveries, lanes, shell } = this.work;
    const { lane, endpoint, delivery } = of;
    if (ended.problem === null || lane.test) {
      return inTx(shell.store, Deadline.in(RECORD_MS), async (tx) => {
        await deliveries.attempted(tx, delivery, attempt, ended.problem === null ? 'delivered' : 'failed');
        // With the attempt: an endpoint that is healthy again must not be disabled by its next failure.
        if (!lane.test && endpoint.failing_since !== null) await webhooks.noteFailing(endpoint, null, tx);
        return lanes.advance(tx, lane, await deliveries.next(lane, tx));
      });
    }
    const now = await shell.store.now();
    const firstAt = lane.first_at ?? attempt.at;
    const spread = Math.random();
    const follows = ({ failing_since: failingSince }: WebhookRow) =>
      afterFailure(ended, { tries: lane.tries, firstAt, failingSince }, now, spread);
    const then = follows(endpoint);
    if ('because' in then) await disable(this.work, of, attempt, follows);
    else
      await inTx(shell.store, Deadline.in(RECORD_MS), async (tx) => {
        await deliveries.attempted(tx, delivery, attempt, 'waiting');
        await lanes.failed(tx, lane, firstAt, then.at);
      });
    // Whoever is about to be disabled may have had a success since it was read.
    if (endpoint.failing_since === null || 'because' in then) await webhooks.noteFailing(endpoint, attempt.at);
    return null;
  }
}

import { Deadline, inTx, isDatabaseUnavailable, Lease, LostRace, ofNetwork, type Sweep } from '@cds/service';
import { type FeedEvent, presentFeedEvent } from '../feed/store/feed.js';
import type { WebhookWork } from './deps.js';
import { deliveryId, eventBody, laneOf } from './domain/webhook-message.js';
import type { NewDelivery } from './store/webhook-deliveries.js';
import type { WebhookRow } from './store/webhooks.js';

const ENDPOINTS = 500;
const EVENTS = 100;
/**
 * With this many waiting deliveries, or bytes of them, an endpoint gets no more for now; the rest stays in the feed.
 */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 500_000;
/** How often the deliveries of an endpoint that ended are trimmed, in places of its feed. */
const TRIMMED_EVERY = 50;
const ONE_MS = 10_000;

const deliveryOf = ({ _id }: WebhookRow, event: FeedEvent): NewDelivery => ({
  _id: deliveryId(_id, event.id),
  ws: event.ws,
  endpoint_id: _id,
  event_id: event.id,
  lane: laneOf(_id, event.aggregate),
  seq: event.seq,
  kind: event.kind,
  body: eventBody(presentFeedEvent(event)),
});

/** The first of some deliveries: those whose bodies begin within so many bytes. */
const fitting = (made: readonly NewDelivery[], room: number): NewDelivery[] => {
  let left = room;
  return made.filter(({ body }) => {
    const fits = left > 0;
    left -= Buffer.byteLength(body);
    return fits;
  });
};

/** Makes deliveries of the events of the feeds. One replica does, under a lease; any other would find nothing left. */
export class WebhookFanOut {
  private readonly lease: Lease;
  private resealed = false;

  /** `added` is called once deliveries were made, so that they need not wait for a sweep. */
  constructor(
    private readonly work: WebhookWork,
    private readonly added: () => void = () => undefined,
  ) {
    this.lease = new Lease(work.shell.store, 'webhook events');
  }

  sweep(): Sweep {
    return ofNetwork('webhook events', 500, () => this.run());
  }

  /** Makes deliveries for every endpoint, and returns how many. */
  async run(): Promise<number> {
    if (!(await this.lease.hold())) return 0;
    // Once for each process: the keys that seal change with a restart.
    if (!this.resealed) await this.work.webhooks.reseal();
    this.resealed = true;
    let made = 0;
    let trouble: unknown = null;
    // An error of one endpoint must not keep the others from their events: it is raised after all of them.
    const troubled = (error: unknown): number => {
      if (isDatabaseUnavailable(error)) throw error;
      trouble ??= error;
      return 0;
    };
    for (let last = ''; ; ) {
      const page = await this.work.webhooks.enabled(last, ENDPOINTS);
      if (page.length === 0) break;
      const heads = await this.work.feed.headsOf([...new Set(page.map(({ ws }) => ws))]);
      for (const { _id, ws, seq } of page) {
        const head = heads.get(ws) ?? 0;
        if (head > seq && (await this.lease.hold())) made += await this.readOn(ws, _id, head).catch(troubled);
      }
      last = page.at(-1)?._id ?? '';
      if (page.length < ENDPOINTS) break;
    }
    if (made > 0) this.added();
    if (trouble !== null) throw trouble;
    return made;
  }

  /** Lets another replica continue at once. */
  stop(): Promise<void> {
    return this.lease.release();
  }

  private async readOn(ws: string, id: string, head: number): Promise<number> {
    const { webhooks, deliveries, lanes, feed, people, shell } = this.work;
    const [endpoint, workspace, waiting] = await Promise.all([
      webhooks.byId(ws, id),
      people.workspaces.byId(ws),
      deliveries.waitingOf(ws, [id]),
    ]);
    if (endpoint === null || workspace === null || workspace.suspended) return 0;
    const { n, bytes } = waiting.get(id) ?? { n: 0, bytes: 0 };
    if (n >= MAX_WAITING || bytes >= MAX_WAITING_BYTES) return 0;
    const { seq, kinds } = endpoint;
    const { events, seq: to } = await feed.next({ ws, seq, kinds: kinds ?? undefined }, head, EVENTS);
    const made = fitting(
      events.map((event) => deliveryOf(endpoint, event)),
      MAX_WAITING_BYTES - bytes,
    );
    const upTo = made.length < events.length ? (made.at(-1)?.seq ?? seq) : to;
    try {
      await inTx(shell.store, Deadline.in(ONE_MS), async (tx) => {
        await webhooks.readOn(tx, endpoint, upTo);
        await deliveries.add(tx, made);
        await lanes.open(tx, made);
      });
    } catch (error) {
      // Somebody moved, disabled or removed it; the next turn reads it again.
      if (error instanceof LostRace) return 0;
      throw error;
    }
    if (Math.floor(upTo / TRIMMED_EVERY) > Math.floor(seq / TRIMMED_EVERY)) await deliveries.trim(ws, id);
    return made.length;
  }
}

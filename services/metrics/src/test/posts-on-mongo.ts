import type { EventName, EventPayload } from '@cds/contracts';
import { notFound } from '@cds/contracts';
import {
  Audit,
  type Change,
  type Client,
  Clocks,
  Commands,
  type Consumer,
  Deadline,
  DueFacts,
  inTx,
  Outbox,
  type RecordedOutcome,
  RowRunner,
  sweepTime,
  type WriteShell,
} from '@cds/service';
import { deliver, testStore } from '@cds/service/testing';
import { pino } from 'pino';
import { campaignChanged } from '../events/campaign-changed.js';
import { lineChanged } from '../events/line-changed.js';
import { orderChanged } from '../events/order-changed.js';
import { Campaigns } from '../store/campaigns.js';
import { Lines } from '../store/lines.js';
import { Integrity, PostWriter } from '../store/post-writer.js';
import { Posts } from '../store/posts.js';
import { Readings } from '../store/readings.js';
import { duePosts } from '../sweeps/due-posts.js';
import { aBooking, anOrder } from './builders.js';

type Unchanged<T> = T extends Change<infer Answer> ? Answer : T;

/** The service's collections, consumers and sweep on a real MongoDB, with catalog and planning faked at the client. */
export const postsOnMongo = async () => {
  const { store, drop } = await testStore('metrics', 'metrics');
  const shell: WriteShell = {
    store,
    commands: new Commands(store),
    outbox: new Outbox(store),
    audit: new Audit(store),
  };
  const { outbox } = shell;
  const [lines, posts, readings, campaigns] = [
    new Lines(store),
    new Posts(store),
    new Readings(store),
    new Campaigns(store),
  ];
  const integrity = new Integrity(store);
  const writer = new PostWriter(posts, integrity);
  const known = new Set<string>();
  const catalog = { hasHeardOfThePayment: true };
  const calls: Client<'identity_reveal' | 'campaign_known'> = {
    identity_reveal: async (_ctx, { creator_ids }) => ({
      creators: catalog.hasHeardOfThePayment
        ? creator_ids.map((id) => ({
            creator_id: id,
            name: 'Ada Example',
            handle: 'demo_ada',
            url: 'https://x.com/demo_ada',
          }))
        : [],
    }),
    campaign_known: async (ctx, { id }) => {
      if (!known.has(`${ctx.principal.workspace}|${id}`)) throw notFound('campaign');
      return { campaign_id: id };
    },
  };
  const log = pino({ level: 'silent' });
  const rows = new RowRunner(store, log);
  const source = duePosts({ store, posts, writer, readings, outbox, calls, rows });
  const clocks = new Clocks(store);
  const due = new DueFacts(clocks, source, log);
  const projection = { lines, posts, writer, outbox, due };
  const consumers = {
    order: orderChanged(projection),
    line: lineChanged(projection),
    campaign: campaignChanged({ campaigns }),
  };
  await store.migrate();

  const at = (now: string) => sweepTime(new Date(now), new Map()).network;
  const deliverEvent = <N extends EventName>(consumer: Consumer, payload: EventPayload<N>): Promise<void> =>
    deliver(store, consumer, payload, new Date('2026-11-21T12:00:00.000Z'));
  return {
    shell,
    deps: { lines, posts, readings, integrity, writer, clocks, campaigns, calls },
    lines,
    posts,
    readings,
    clocks,
    due,
    consumers,
    known,
    catalog,
    drop,
    /** Applies an event as the inbox does. */
    deliver: deliverEvent,
    /** A paid order, all its lines booked. */
    booked: async (over: Parameters<typeof anOrder>[0] = {}) => {
      const order = anOrder(over);
      await deliverEvent(consumers.order, order);
      for (const line of order.lines) await deliverEvent(consumers.line, aBooking(order, line));
      return order;
    },
    /** The answer that a write decided on, once it is saved with its events. */
    done: async <T>(decided: T): Promise<Exclude<Unchanged<T>, RecordedOutcome>> => {
      const made = decided as unknown as Change<Exclude<Unchanged<T>, RecordedOutcome>>;
      await inTx(store, Deadline.in(5_000), async (tx) => {
        await made.parts.save(tx);
        await outbox.add(tx, made.parts.events ?? [], new Date());
      });
      return made.answer;
    },
    /** What the team was asked about a line. */
    tasksOf: async (lineId: string): Promise<string[]> => {
      const rows = await outbox.rows.find({ 'payload.about.line_id': lineId }).toArray();
      return rows.map(({ payload }) => (payload as EventPayload<'metrics_task.opened'>).kind);
    },
    /** Moves a sandbox's clock to an instant and handles what became due. */
    jump: (ws: string, to: string): Promise<number> => source.handleSandbox(ws, new Date(to), at(to), 'ignored'),
    /** The same for all live workspaces. */
    liveSweep: (now: string): Promise<number> => source.handleLive(at(now)),
    /** What its readings add up to, as it was published. */
    readingsTaken: async (lineId: string) => {
      const rows = await outbox.rows.find({ aggregate: lineId, subject: 'evt.metrics.reading.taken' }).toArray();
      return rows
        .map((row) => row.payload as EventPayload<'reading.taken'>)
        .sort((one, other) => one.version - other.version);
    },
    emitted: async (lineId: string) => {
      const rows = await outbox.rows
        .find({ aggregate: lineId, subject: 'evt.metrics.post.changed' })
        .sort({ version: 1 })
        .toArray();
      return rows.map((row) => row.payload as EventPayload<'post.changed'>);
    },
  };
};

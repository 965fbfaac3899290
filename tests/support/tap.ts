import { setTimeout as delay } from 'node:timers/promises';
import { answersOf, operationByName, type ServiceName, type WireContext } from '@cds/contracts';
import { decodeReply, type Reply } from '@cds/service';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MongoClient, Timestamp } from 'mongodb';
import type { SharedStack, Stack } from './stack.js';

export type Frame = { subject: string; operation: string; context: WireContext; data: Uint8Array };

const LF = 0x0a;

/** Listens to and speaks on a stack's bus as its root user: the most that a thief of frames could do. */
export class Tap {
  private heard: Frame[] = [];

  /** One more connection for each service whose inbox replies go to: responders may publish only there. */
  private readonly inboxes = new Map<string, Promise<NatsConnection>>();

  private constructor(
    private readonly nats: NatsConnection,
    private readonly open: (inboxPrefix: string) => Promise<NatsConnection>,
  ) {
    nats.subscribe('cds.>', {
      callback: (_error, message) => {
        const { subject, data } = message;
        const first = data.indexOf(LF);
        if (first < 0) return; // A message of a test, not a frame.
        const head = Buffer.from(data.subarray(first + 1, data.indexOf(LF, first + 1))).toString();
        const operation = subject.split('.')[2] ?? '';
        this.heard.push({ subject, operation, context: JSON.parse(head) as WireContext, data });
      },
    });
  }

  static async open(stack: Stack): Promise<Tap> {
    const open = (inboxPrefix: string) =>
      connect({ servers: stack.nats.url, user: 'root', pass: passwordOf(stack.natsUrl), inboxPrefix });
    const tap = new Tap(await open('_INBOX_root'), open);
    await tap.nats.flush();
    return tap;
  }

  async taken(): Promise<Frame[]> {
    await this.nats.flush();
    const taken = this.heard;
    this.heard = [];
    return taken;
  }

  /** Sends bytes as a request on a subject in a caller's name and returns the reply. */
  async send(caller: ServiceName, subject: string, data: Uint8Array): Promise<Reply> {
    const answers = answersOf(caller, subject.split('.')[1] as ServiceName);
    let inbox = this.inboxes.get(answers);
    if (inbox === undefined) {
      inbox = this.open(answers);
      this.inboxes.set(answers, inbox);
    }
    const reply = await (await inbox).request(subject, data, { timeout: 10_000 });
    await this.taken();
    return decodeReply(reply.data);
  }

  async close(): Promise<void> {
    const all = [this.nats, ...(await Promise.all(this.inboxes.values()))];
    await Promise.all(all.map((connection) => connection.close()));
  }
}

const passwordOf = (url: string): string => decodeURIComponent(new URL(url.replace('nats:', 'http:')).password);

export const isWrite = ({ operation }: Frame): boolean => operationByName(operation)?.effect === 'write';

/**
 * Changes that no frame causes: leases, heartbeats, runs of sweeps, checkpoints with the mark of how far they reach in
 * the heads, the request log that the gateway writes a second later, and price moves, which end once handled. The
 * chains whose ends the heads name are compared entry by entry.
 */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'leases',
  'network_beats',
  'price_moves',
  'audit_duties',
  'audit_checkpoints',
  'audit_heads',
  'jobs',
  'request_log',
  'usage_days',
]);
const STABLE_MS = 700;
const LOOK_EVERY_MS = 100;

/** One hash for each collection of a stack, bookkeeping excluded. */
export class Contents {
  /** Names of the collections in the log of the replica set. */
  private readonly changing: RegExp;

  private constructor(
    private readonly mongo: MongoClient,
    private readonly nats: NatsConnection,
    private readonly streams: JetStreamManager,
    private readonly databases: readonly string[],
  ) {
    this.changing = new RegExp(`^(?:${databases.join('|')})\\.(?!(?:${[...BOOKKEEPING].join('|')})$)`);
  }

  static async open(stack: SharedStack): Promise<Contents> {
    const [mongo, nats] = await Promise.all([
      MongoClient.connect(stack.mongodbUri),
      connect({ servers: new URL(stack.natsUrl).host, user: 'root', pass: passwordOf(stack.natsUrl) }),
    ]);
    const names = ['gateway', 'catalog', 'identity', 'planning', 'billing', 'proposals', 'metrics'];
    return new Contents(
      mongo,
      nats,
      await jetstreamManager(nats),
      names.map((name) => `${stack.prefix}cds_${name}`),
    );
  }

  async insert(
    service: string,
    collection: string,
    document: { _id: string } & Record<string, unknown>,
  ): Promise<void> {
    const database = this.databases.find((name) => name.endsWith(`cds_${service}`));
    await this.mongo.db(database).collection<{ _id: string } & Record<string, unknown>>(collection).insertOne(document);
  }

  async set(service: string, collection: string, id: string, fields: Record<string, unknown>): Promise<void> {
    const database = this.databases.find((name) => name.endsWith(`cds_${service}`));
    await this.mongo.db(database).collection<{ _id: string }>(collection).updateOne({ _id: id }, { $set: fields });
  }

  /** Every event that a service has published or is about to, by its id. */
  async events(): Promise<Map<string, string>> {
    const rows = await Promise.all(
      this.databases.map((name) =>
        this.mongo
          .db(name)
          .collection<{ _id: string; subject: string; payload: object }>('outbox')
          .find({}, { projection: { subject: 1, payload: 1 } })
          .toArray(),
      ),
    );
    return new Map(rows.flat().map(({ _id, subject, payload }) => [_id, `${subject} ${JSON.stringify(payload)}`]));
  }

  async read(): Promise<Record<string, string>> {
    const all: Record<string, string> = {};
    for (const database of this.databases) {
      const { collections } = await this.mongo.db(database).command({ dbHash: 1 });
      for (const [name, hash] of Object.entries(collections as Record<string, string>))
        if (!BOOKKEEPING.has(name)) all[`${database.replace(/^.*cds_/, '')}.${name}`] = hash;
    }
    return all;
  }

  /**
   * The contents once every event is published and applied by all who follow it, every audit entry is sealed, no step
   * of an offer is due, and nothing changed for longer than a relay takes to hear of a row.
   */
  async atRest(): Promise<Record<string, string>> {
    for (const end = performance.now() + 20_000; performance.now() < end; await delay(LOOK_EVERY_MS)) {
      if ((await this.changedWithin(STABLE_MS)) || (await this.unfinished()) > 0) continue;
      const began = performance.now();
      const contents = await this.read();
      if (!(await this.changedWithin(STABLE_MS + performance.now() - began))) return contents;
    }
    throw new Error('the databases of this stack do not come to rest');
  }

  /** Whether the log of the replica set has a change of the contents from the last milliseconds. */
  private async changedWithin(ms: number): Promise<boolean> {
    const from = new Date(Date.now() - ms);
    const change = await this.mongo
      .db('local')
      .collection('oplog.rs')
      .findOne({
        ts: { $gte: new Timestamp({ t: Math.floor(from.getTime() / 1_000), i: 0 }) },
        wall: { $gte: from },
        $or: [{ ns: this.changing }, { 'o.applyOps.ns': this.changing }],
      });
    return change !== null;
  }

  /**
   * Steps of offers that are due, events that are not published or not applied by all who follow them, and audit
   * entries that are not sealed.
   */
  private async unfinished(): Promise<number> {
    // Rows before streams: an event that is published in between is counted twice, never missed.
    return (await this.dueOffers()) + (await this.unfinishedRows()) + (await this.unfinishedDeliveries());
  }

  /** Offers with a step that is due, such as the search after a withdrawal: a sweep handles it soon. */
  private async dueOffers(): Promise<number> {
    const named = (service: string) => this.mongo.db(this.databases.find((name) => name.endsWith(`cds_${service}`)));
    const workspaces = await named('gateway')
      .collection<{ _id: string; offset_ms: number }>('workspaces')
      .find({}, { projection: { offset_ms: 1 } })
      .toArray();
    const now = Date.now();
    const counts = workspaces.map(({ _id: ws, offset_ms }) =>
      named('proposals')
        .collection('proposals')
        .countDocuments({ ws, due_at: { $lte: new Date(now + offset_ms) } }),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  private async unfinishedDeliveries(): Promise<number> {
    let count = 0;
    for await (const { config } of this.streams.streams.list())
      for await (const { num_pending, num_ack_pending } of this.streams.consumers.list(config.name))
        count += num_pending + num_ack_pending;
    return count;
  }

  private async unfinishedRows(): Promise<number> {
    const waiting = [
      ['outbox', { state: 'new' }],
      ['audit', { sealed: false }],
    ] as const;
    const counts = await Promise.all(
      this.databases.flatMap((name) =>
        waiting.map(([collection, filter]) => this.mongo.db(name).collection(collection).countDocuments(filter)),
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async close(): Promise<void> {
    await Promise.all([this.nats.close(), this.mongo.close()]);
  }
}

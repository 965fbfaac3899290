import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DURABLES, events, type ServiceName, streamOf } from '@cds/contracts';
import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { BusConnection } from '../bus/connection.js';
import { apiOf, isMissing } from '../bus/topology.js';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';
import { counterOf } from '../telemetry/metrics.js';
import type { Relay } from './relay.js';
import type { Republished, RepublishedEvent } from './republished.js';

/** A run as stored in the service's database: why it was started, and how far it is. */
export type RepublishRun = {
  run: string;
  cause: 'operator' | 'stream_lost';
  asked_at: Date;
  event: string | null;
  after: string | null;
  sent: number;
  done_at: Date | null;
};

type Row = RepublishRun & { _id: 'republish'; stream_created: string | null };

/** How often a lost stream and another replica's request for a run are looked for. */
const CHECK_EVERY_MS = 5_000;
const PAGE = 100;
/**
 * With more than this many events unread, the next page waits, so that new events do not queue behind republished ones.
 */
const MAX_UNREAD = 100;
/** A consumer that is down must not block the run: a page is sent after this time at the latest. */
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_MS = 20;
/** The stored run id before the first run. */
const NO_RUN = '';

const republished = counterOf('cds_events_republished_total');

/**
 * Republishes the current state of every aggregate after a lost stream (docs/reliability.md#events; ADR 0018), in pages
 * with stored progress. Safe at any time: consumers apply by version. A message's id contains the run, so that it is
 * not taken for the lost message. A run starts by itself on another stream than the remembered one.
 */
export class Republisher {
  private readonly rows: Collection<Row>;
  private readonly ended = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(
    private readonly service: ServiceName,
    private readonly connection: BusConnection,
    private readonly store: Store,
    private readonly relay: Relay,
    private readonly kinds: readonly Republished[],
    private readonly log: Logger,
    private readonly pace = { checkMs: CHECK_EVERY_MS, longestPauseMs: LONGEST_PAUSE_MS },
  ) {
    this.rows = store.collection<Row>({ name: 'republish' });
  }

  /** Declared events of this service that it cannot republish; a service with any does not start. */
  get missing(): readonly string[] {
    const known = new Set<string>(this.kinds.map((kind) => kind.event));
    return events.filter((event) => event.service === this.service && !known.has(event.name)).map(({ name }) => name);
  }

  start(): void {
    this.loop = this.work();
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.loop;
  }

  /** Starts a run and returns it; the same id again returns the same run. A new id replaces a run that is not done. */
  async ask(run: string, at: Date): Promise<RepublishRun> {
    await this.begin({ run: { $ne: run } }, { run, cause: 'operator', asked_at: at });
    const row = await this.newest();
    if (row === null) throw new Error('the requested run was not stored');
    return row;
  }

  newest(): Promise<RepublishRun | null> {
    return this.rows.findOne({ _id: 'republish', run: { $ne: NO_RUN } }, { projection: { _id: 0, stream_created: 0 } });
  }

  private async begin(
    unless: mongo.Filter<Row>,
    of: Pick<Row, 'run' | 'cause' | 'asked_at'> & Partial<Row>,
  ): Promise<boolean> {
    await this.rows.updateOne(
      { _id: 'republish' },
      {
        $setOnInsert: {
          run: NO_RUN,
          cause: 'stream_lost',
          asked_at: of.asked_at,
          event: null,
          after: null,
          sent: 0,
          done_at: of.asked_at,
          stream_created: null,
        },
      },
      { upsert: true },
    );
    const first = this.kinds[0]?.event ?? null;
    const begun = await this.rows.updateOne(
      { _id: 'republish', ...unless },
      { $set: { event: first, after: null, sent: 0, done_at: first === null ? of.asked_at : null, ...of } },
    );
    return begun.matchedCount === 1;
  }

  private async work(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      try {
        if (this.relay.leads) {
          const row = await this.rows.findOne({ _id: 'republish' });
          const begun = await this.detectLoss(row?.stream_created);
          if (begun || row?.done_at === null) await this.resume();
        }
      } catch (error) {
        if (!signal.aborted) this.log.warn({ err: error }, 'republishing failed; its next turn retries');
      }
      await delay(this.pace.checkMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Starts a run, and returns true, if the stream is not the one that this database published to. */
  private async detectLoss(known: string | null | undefined): Promise<boolean> {
    const created = await this.streamCreated();
    if (created === null || created === known) return false;
    const run = randomUUID();
    const begun = await this.begin(
      { stream_created: { $ne: created } },
      { run, cause: 'stream_lost', asked_at: await this.store.about(), stream_created: created },
    );
    if (begun) this.log.warn({ run, created, known }, 'the stream was created again; republishing everything');
    return begun;
  }

  private async streamCreated(): Promise<string | null> {
    try {
      return (await (await apiOf(this.connection.nats)).streams.info(streamOf(this.service))).created;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private async resume(): Promise<void> {
    for (;;) {
      const row = await this.rows.findOne({ _id: 'republish', done_at: null });
      if (row === null || !this.relay.leads || this.ended.signal.aborted) return;
      await this.page(row);
    }
  }

  private async page(row: Row): Promise<void> {
    const index = this.kinds.findIndex((kind) => kind.event === row.event);
    const kind = this.kinds[index];
    if (kind === undefined)
      return this.saveProgress(row, { event: null, after: null, done_at: await this.store.about() });

    const { events: page, next } = await kind.page(row.after, PAGE);
    await Promise.all(page.map((event) => this.relay.send(event.subject, event.payload, messageIdOf(row.run, event))));
    republished.add(page.length);

    const sent = row.sent + page.length;
    const following = next === null ? (this.kinds[index + 1]?.event ?? null) : row.event;
    const doneAt = following === null ? await this.store.about() : null;
    await this.saveProgress(row, { event: following, after: next, sent, done_at: doneAt });
    if (following === null) this.log.info({ run: row.run, sent }, 'everything was republished');
    if (page.length > 0) await this.untilRead();
  }

  /** Stores how far the run is, unless it was restarted or another process has advanced it. */
  private async saveProgress({ run, event, after }: Row, progress: Partial<Row>): Promise<void> {
    await this.rows.updateOne({ _id: 'republish', run, event, after }, { $set: progress });
  }

  /** Waits until the stream's consumers have caught up, or long enough. */
  private async untilRead(): Promise<void> {
    const end = performance.now() + this.pace.longestPauseMs;
    const { signal } = this.ended;
    while (performance.now() < end && !signal.aborted) {
      if ((await this.mostUnread()) <= MAX_UNREAD) return;
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async mostUnread(): Promise<number> {
    const { consumers } = await apiOf(this.connection.nats);
    const unread = await Promise.all(
      DURABLES.filter(({ producer }) => producer === this.service).map(async ({ stream, name }) => {
        const info = await consumers.info(stream, name).catch(() => null);
        return info === null ? Number.POSITIVE_INFINITY : info.num_pending;
      }),
    );
    return Math.max(0, ...unread);
  }
}

const messageIdOf = (run: string, { subject, payload }: RepublishedEvent): string =>
  `again|${run}|${subject}|${payload.aggregate}|${payload.version}`;

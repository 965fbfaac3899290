import { setTimeout as delay } from 'node:timers/promises';
import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import type { Logger } from 'pino';
import { raiseAlarm } from '../logs/raise-alarm.js';
import { counterOf, readingOf } from '../telemetry/metrics.js';
import type { BusConnection } from './connection.js';
import { apiOf, type Declared, declareTopology } from './topology.js';

/** How often the streams and the number of their durables are checked; what is missing is restored within 2 s. */
const CHECK_EVERY_MS = 1_000;
const LOOK_UP_MS = 5_000;
/** An older check says nothing about now. */
const FRESH_MS = 5_000;

const restored = counterOf('cds_bus_declared_again_total');

export class TopologyKeeper {
  private seenAt = Number.NEGATIVE_INFINITY;
  private lookedUpAt = Number.NEGATIVE_INFINITY;
  private first = true;
  private found: Pick<Declared, 'streams' | 'durables'> = { streams: [], durables: [] };
  private lastProblem: string | null = 'the streams and durables have not been checked yet';
  private loop: Promise<void> | undefined;
  private readonly ended = new AbortController();

  constructor(
    private readonly connection: BusConnection,
    private readonly replicas: number,
    private readonly log: Logger,
  ) {
    this.showMetrics();
  }

  start(): void {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.loop;
  }

  /** Null if a check in the last seconds found everything in place, otherwise what is wrong. */
  problem(): string | null {
    if (this.lastProblem !== null) return this.lastProblem;
    return performance.now() - this.seenAt < FRESH_MS ? null : 'the bus has not answered for some seconds';
  }

  private async run(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      await this.check();
      await delay(CHECK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async check(): Promise<void> {
    try {
      const began = performance.now();
      const counts = began - this.lookedUpAt < LOOK_UP_MS;
      const { streams, durables, ...declared } = await declareTopology(
        await apiOf(this.connection.nats),
        this.replicas,
        this.found,
        counts,
      );
      if (!counts) this.lookedUpAt = began;
      this.found = { streams, durables };
      if (declared.made.length > 0 && !this.first) {
        restored.add(declared.made.length);
        raiseAlarm(this.log, 'bus_topology_lost', declared, 'streams or durables were missing and have been restored');
      } else if (declared.made.length + declared.changed.length > 0) {
        this.log.info(declared, 'streams and durables are declared');
      }
      this.first = false;
      this.seenAt = performance.now();
      this.lastProblem = null;
    } catch (error) {
      this.lookedUpAt = Number.NEGATIVE_INFINITY;
      this.lastProblem = `not every stream and durable is in place: ${error instanceof Error ? error.message : error}`;
      this.log.warn({ err: error }, 'streams and durables could not be declared; the next check retries');
    }
  }

  private showMetrics(): void {
    const isFresh = () => performance.now() - this.seenAt < FRESH_MS;
    const ofStreams = (read: (info: StreamInfo) => number) => () =>
      isFresh()
        ? this.found.streams.map((info) => ({ value: read(info), labels: { stream: info.config.name } }))
        : null;
    const ofDurables = (read: (info: ConsumerInfo) => number) => () =>
      isFresh()
        ? this.found.durables.map((info) => ({
            value: read(info),
            labels: { stream: info.stream_name, consumer: info.name },
          }))
        : null;
    readingOf('cds_bus_topology_in_place', () => (this.problem() === null ? 1 : 0));
    readingOf(
      'cds_stream_messages',
      ofStreams(({ state }) => state.messages),
    );
    readingOf(
      'cds_stream_bytes',
      ofStreams(({ state }) => state.bytes),
    );
    readingOf(
      'cds_consumer_pending',
      ofDurables((info) => info.num_pending),
    );
    readingOf(
      'cds_consumer_unacknowledged',
      ofDurables((info) => info.num_ack_pending),
    );
    readingOf(
      'cds_consumer_redelivered',
      ofDurables((info) => info.num_redelivered),
    );
  }
}

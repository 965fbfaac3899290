import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { counterOf } from '../telemetry/counter.js';
import type { BusConnection } from './connection.js';
import { apiOf, declareTopology } from './topology.js';

/** How often the streams and durables are checked; a missing one is restored within two seconds. */
const CHECK_EVERY_MS = 1_000;
/** An older check says nothing about now. */
const FRESH_MS = 5_000;

const restored = counterOf('cds_bus_declared_again', 'Streams and durables that were missing and were created again');

/** Keeps every declared stream and durable in place while it runs: the work of `bus-admin`. */
export class TopologyKeeper {
  private seenAt = Number.NEGATIVE_INFINITY;
  private first = true;
  private lastProblem: string | null = 'the streams and durables have not been checked yet';
  private loop: Promise<void> | undefined;
  private readonly ended = new AbortController();

  constructor(
    private readonly connection: BusConnection,
    private readonly replicas: number,
    private readonly log: Logger,
  ) {}

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
      const declared = await declareTopology(await apiOf(this.connection.nats), this.replicas);
      if (declared.made.length > 0 && !this.first) {
        restored.add(declared.made.length);
        this.log.error(
          { ...declared, alarm: 'bus_topology_lost' },
          'streams or durables were missing and have been restored',
        );
      } else if (declared.made.length + declared.changed.length > 0) {
        this.log.info(declared, 'streams and durables are declared');
      }
      this.first = false;
      this.seenAt = performance.now();
      this.lastProblem = null;
    } catch (error) {
      this.lastProblem = `not every stream and durable is in place: ${error instanceof Error ? error.message : error}`;
      this.log.warn({ err: error }, 'streams and durables could not be declared; the next check retries');
    }
  }
}

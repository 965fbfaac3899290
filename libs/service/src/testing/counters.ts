import { windowSubject } from '@cds/contracts';
import { pino } from 'pino';
import { BusConnection } from '../bus/connection.js';
import { type Counted, Counters } from '../bus/counters.js';
import { RequestMux } from '../bus/mux.js';
import { apiOf, declareWindows } from '../bus/topology.js';

/** Far above every epoch of a test, and a multiple of each. */
const ROUND = 1e12;

let declared: Promise<unknown> | undefined;

/** How often the counters of each scope began again. */
const rounds = new Map<string, number>();

/** Counters on the test run's nats-server. Those of one scope are shared by its gateways and unknown to all others. */
export class TestCounters implements Pick<Counters, 'add'> {
  /** The ids that were counted since the counters began again. */
  counted: string[] = [];

  private constructor(
    private readonly scope: string,
    private readonly connection: BusConnection,
    private readonly counters: Counters,
  ) {}

  static async open(scope: string): Promise<TestCounters> {
    const url = process.env['CDS_TEST_NATS_URL'];
    if (url === undefined) throw new Error('CDS_TEST_NATS_URL is not set: run the tests with `npm test`');
    const { host, username: user, password } = new URL(url);
    const connection = await BusConnection.open(
      'gateway',
      { url: `nats://${host}`, user, password },
      pino({ level: 'silent' }),
    );
    declared ??= apiOf(connection.nats).then((manager) => declareWindows(manager, 1));
    await declared;
    return new TestCounters(scope, connection, new Counters(connection, new RequestMux(connection)));
  }

  async add(subject: string, by: number, timeoutMs: number): Promise<Counted> {
    const round = rounds.get(this.scope) ?? 0;
    this.counted.push(subject.slice(4, subject.lastIndexOf('.')));
    const { total, era } = await this.counters.add(
      subject.replace(/^win\./, `win.${this.scope}-${round}-`),
      by,
      timeoutMs,
    );
    return { total: total + round * ROUND, era };
  }

  /** Begins every counter of the scope again, and makes every gateway forget its keys. */
  reset(): void {
    this.counted = [];
    rounds.set(this.scope, (rounds.get(this.scope) ?? 0) + 1);
  }

  /** Counts requests of an id in this minute and the next, so that no test depends on when its minute ends. */
  async use(id: string, requests: number): Promise<void> {
    const minute = Math.floor(Date.now() / 60_000);
    for (const at of [minute, minute + 1]) await this.add(windowSubject(id, at), requests, 5_000);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

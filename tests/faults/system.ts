import { setTimeout as delay } from 'node:timers/promises';
import { BUS_ADMIN, DURABLES, SERVICES } from '@cds/contracts';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Databases } from '../support/audits/audit.js';
import type { ReplicaSet } from '../support/replica-set.js';
import { aBrand, anIdempotencyKey, ask, type Stack, secretOf } from '../support/stack.js';
import type { Agent } from './agent.js';

export const PROCESSES = [...SERVICES, BUS_ADMIN] as const;
export const MONGOD = 'mongod';
export const BUS = 'bus';
export const DOCUMENT = 'document';

/** docs/reliability.md#recovery: writes are back within 8 s of a failover. */
export const AWAY_MS = 8_000;
/** docs/reliability.md#events: declared again within 2 s, attached again within 5 s. */
export const ATTACHED_MS = 7_000;
/** The longest that a system may take to recover while other faults last too. */
const RECOVERY_MS = 90_000;
const LOOK_EVERY_MS = 50;
/** A key has 60 requests a minute, so a write that is refused for an outage is not sent again sooner. */
const AGAIN_MS = 250;
const KEYS = ['full', 'narrow', 'muted'];

/**
 * The whole system as faults reach it: its processes, its engines by their root users, and a brand that only watches.
 */
export class System {
  agents: readonly Agent[] = [];
  private asked = 0;

  private constructor(
    readonly stack: Stack,
    private readonly members: ReplicaSet | undefined,
    readonly databases: Databases,
    private readonly nats: NatsConnection,
    private readonly keys: readonly string[],
  ) {}

  static async open(stack: Stack, set: ReplicaSet | undefined): Promise<System> {
    const { host, username, password } = new URL(stack.natsUrl.replace('nats:', 'http:'));
    const { live, sandbox } = await aBrand(stack);
    return new System(
      stack,
      set,
      await Databases.open(stack.mongodbUri, stack.prefix),
      await connect({
        servers: host,
        user: username,
        pass: decodeURIComponent(password),
        maxReconnectAttempts: -1,
      }),
      [live, sandbox].flatMap((workspace) => KEYS.map((name) => secretOf(workspace, name))),
    );
  }

  get set(): ReplicaSet {
    if (this.members === undefined) throw new Error('the database of this run has one member');
    return this.members;
  }

  async close(): Promise<void> {
    await Promise.all([this.nats.close(), this.databases.close()]);
  }

  bus(): Promise<JetStreamManager> {
    return jetstreamManager(this.nats);
  }

  /** An agent by a number in [0, 1). */
  anAgent(share: number): Agent {
    const agent = this.agents[Math.floor(share * this.agents.length)];
    if (agent === undefined) throw new Error('no agent works');
    return agent;
  }

  /** Writes under one Idempotency-Key until it is done, and answers when that was. */
  async write(): Promise<number> {
    const headers = { 'idempotency-key': anIdempotencyKey() };
    const key = this.aKey();
    await until(
      'a write is answered',
      async () => {
        const { status } = await ask(this.stack, key, 'feedback_send', { message: 'still here' }, headers);
        if (status >= 300 && status < 500 && ![409, 429].includes(status))
          throw new Unexpected(`a write got ${status}`);
        return status < 300;
      },
      AGAIN_MS,
    );
    return performance.now();
  }

  /** How long a key takes until it is answered, one of the watching brand unless given, in milliseconds. */
  async read(key: string = this.aKey()): Promise<number> {
    const began = performance.now();
    await until('a read is answered', async () => (await ask(this.stack, key, 'inventory', {})).status < 500);
    return performance.now() - began;
  }

  /**
   * Until one member of the database leads and all others follow it. A former primary is a secondary for a moment
   * before it rolls back; it follows once it has an entry of the new primary's term. One that has just started follows
   * once it reads from another: if that one froze while it begins, MongoDB's own limit of 20 s would hold, and two of
   * three members would be away.
   */
  databaseIsWhole(): Promise<void> {
    return until('every member of the database leads or follows', async () => {
      const status = await this.databases.client.db('admin').command({ replSetGetStatus: 1 }, { timeoutMS: 5_000 });
      const members = status['members'] as { stateStr: string; optime: { t: number }; syncSourceHost: string }[];
      const following = members.filter(
        ({ stateStr, optime, syncSourceHost }) =>
          stateStr === 'SECONDARY' && Number(optime.t) === Number(status['term']) && syncSourceHost !== '',
      );
      return members.some(({ stateStr }) => stateStr === 'PRIMARY') && following.length === members.length - 1;
    });
  }

  /**
   * Until the stream's consumers are there and each is pulled from; answers when that was. A consumer that is made
   * again begins at the first event: while a process works through those, no pull waits, but events are with it.
   */
  async attached(stream: string): Promise<number> {
    const durables = DURABLES.filter((one) => one.stream === stream);
    await until(`${stream} is back and pulled from`, async () => {
      const manager = await this.bus();
      await manager.streams.info(stream);
      const found = await Promise.all(durables.map(({ name }) => manager.consumers.info(stream, name)));
      return found.every(({ num_waiting, num_ack_pending }) => num_waiting + num_ack_pending > 0);
    });
    return performance.now();
  }

  async allReady(): Promise<void> {
    const processes = Object.values(this.stack.services).flat();
    await until('every process is ready', async () => {
      const answers = await Promise.all(processes.map((one) => fetch(`http://127.0.0.1:${one.opsPort()}/readyz`)));
      return answers.every(({ ok }) => ok);
    });
    for (const stream of new Set(DURABLES.map((one) => one.stream))) await this.attached(stream);
  }

  private aKey(): string {
    this.asked += 1;
    const key = this.keys[this.asked % this.keys.length];
    if (key === undefined) throw new Error('the brand that looks on has no key');
    return key;
  }
}

/** Looks until it holds. Whatever is asked may be the part that is down, so a failed look is no answer. */
export const until = async (what: string, holds: () => Promise<boolean>, everyMs = LOOK_EVERY_MS): Promise<void> => {
  const end = performance.now() + RECOVERY_MS;
  for (let last: unknown; ; await delay(everyMs)) {
    try {
      if (await holds()) return;
    } catch (error) {
      if (error instanceof Unexpected) throw error;
      last = error;
    }
    if (performance.now() > end) throw new Error(`not within ${RECOVERY_MS / 1000} s: ${what}`, { cause: last });
  }
};

class Unexpected extends Error {}

import { setTimeout as delay } from 'node:timers/promises';
import type { FeedEventResource, OperationName } from '@cds/contracts';
import { aReceiver, type Receiver } from '@cds/gateway/testing';
import { ownerSession } from '../../tools/lib/owner-session.js';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { expectSame, type Read } from '../support/feed-compare.js';
import { refilling } from '../support/refilling.js';
import { aBrand, ask, type SeededWorkspace, type Stack, secretOf } from '../support/stack.js';
import { Agent } from './agent.js';
import { wrongWithFollowed, wrongWithKilled, wrongWithWebhooks } from './followed.js';
import { byCursor, byStream, readWhole } from './followers.js';
import { History } from './history.js';
import { Random } from './random.js';

export type FeedFaultPlan = { seed: number; kills: number; agents: number };

export type FeedFaultReport = {
  seed: number;
  kills: Record<string, number>;
  killedWhileSending: number;
  writes: number;
  retries: number;
  events: number;
  interruptions: { cursor: number; stream: number };
  /** Streams that broke off after their first event, and those that went on from there. */
  streams: { cut: number; resumed: number };
  /** `killed` were being sent when their gateway was killed; each of them has to come again. */
  webhooks: { sent: number; repeated: number; killed: number };
  violations: string[];
};

/** What is killed: who serves readers and sends webhooks, and who makes most of the events. */
const TARGETS = ['gateway', 'planning', 'billing'] as const;
/** A stream of a killed gateway counts until it would have ended, and a key has four: so brands change now and then. */
const KILLS_A_ROUND = 6;
/** How long a kill waits until writes have ended since the last one, or a webhook is being sent. */
const MEETING_MS = 10_000;
/** How long readers and receivers may take for what is left; a killed sender's lane is free again after 30 s. */
const CATCH_UP_MS = 120_000;
const LOOK_EVERY_MS = 100;
/** A comparison reads more than a minute allows; what it used up is given back by then. */
const REFILLED_MS = 1_000;
/** After the kills time is advanced once more, so that lines have posts and readings too. */
const DAYS_AFTER = 21;

type Watched = {
  sandbox: SeededWorkspace;
  person: Record<string, string>;
  /** The events from making the brand, before there was an endpoint or while it was made. */
  before: Set<string>;
  agent: Agent;
  cursor: ReturnType<typeof byCursor>;
  stream: ReturnType<typeof byStream>;
  receiver: Receiver;
  /** The ids of the messages that were being sent when their gateway was killed. */
  killed: Set<string>;
};

type Delivery = { _id: string; ws: string; state: string; kind: string; attempts: unknown[] };

/**
 * Kills gateway, planning and billing while agents write, and others follow by cursor, by stream and by webhook.
 * Afterwards each of them has every event once and in order, and what the events add up to is what the reads answer
 * (I69, docs/domain/events.md#events and #webhooks).
 */
export const runFeedFaults = async (stack: Stack, plan: FeedFaultPlan): Promise<FeedFaultReport> => {
  const random = new Random(plan.seed);
  const report: FeedFaultReport = {
    seed: plan.seed,
    kills: {},
    killedWhileSending: 0,
    writes: 0,
    retries: 0,
    events: 0,
    interruptions: { cursor: 0, stream: 0 },
    streams: { cut: 0, resumed: 0 },
    webhooks: { sent: 0, repeated: 0, killed: 0 },
    violations: [],
  };
  for (let left = plan.kills; left > 0; left -= KILLS_A_ROUND)
    await new Round(stack, random.fork(), report).run(Math.min(left, KILLS_A_ROUND), plan.agents);
  return report;
};

class Round {
  private readonly history = new History();
  private working = true;

  constructor(
    private readonly stack: Stack,
    private readonly random: Random,
    private readonly report: FeedFaultReport,
  ) {}

  async run(kills: number, agents: number): Promise<void> {
    const brands = await Promise.all(Array.from({ length: agents }, () => aBrand(this.stack)));
    const stopRefilling = await refilling(
      this.stack,
      brands.flatMap(({ live, sandbox }) => [live.id, sandbox.id]),
      { everybody: true },
    );
    const all = await Promise.all(brands.map(({ live, sandbox }, at) => this.watched(live, sandbox, at)));
    try {
      const jobs = all.map(({ agent }) => agent.run());
      await this.kill(kills, all);
      this.working = false;
      await Promise.all(jobs);
      await Promise.all(all.map(({ agent }) => agent.pass(DAYS_AFTER)));
      await this.atRest();
      for (const one of all) await this.check(one);
    } finally {
      this.working = false;
      await Promise.all(all.map(({ receiver }) => receiver.stop()));
      await stopRefilling();
    }
    this.report.writes += this.history.writes.length;
    this.report.retries += this.history.writes.reduce((sum, { unknown }) => sum + unknown, 0);
    this.report.violations.push(...this.history.faults());
  }

  private async watched(live: SeededWorkspace, sandbox: SeededWorkspace, at: number): Promise<Watched> {
    const { stack, random } = this;
    const receiver = await aReceiver();
    const person = { origin: stack.appUrl, cookie: await ownerSession(stack, live.name) };
    await ask(stack, null, 'session_workspace_set', { workspace: sandbox.id }, person);
    const { status } = await ask(stack, null, 'webhook_make', { url: receiver.url }, person);
    if (status !== 201) throw new Error(`no endpoint was made: ${status}`);
    const never = Number.POSITIVE_INFINITY;
    const key = secretOf(sandbox, 'full');
    const before = new Set((await readWhole(stack, key)).map(({ id }) => id));
    const agent = new Agent(stack, `feed${at}`, random.fork(), this.history, () => !this.working, never);
    agent.adopt(sandbox);
    const followers = { cursor: byCursor(stack, key, random.fork()), stream: byStream(stack, key) };
    return { sandbox, person, before, agent, receiver, killed: new Set(), ...followers };
  }

  private async kill(kills: number, all: readonly Watched[]): Promise<void> {
    const targets = Array.from({ length: Math.ceil(kills / TARGETS.length) }, () => this.random.shuffled(TARGETS))
      .flat()
      .slice(0, kills);
    for (const target of targets) {
      await delay(this.random.between(50, 500));
      const before = this.answered();
      await this.met(() => this.answered() > before);
      const release = target === 'gateway' ? await this.caughtSending(all) : () => undefined;
      await this.stack.kill(target);
      release();
      this.report.kills[target] = (this.report.kills[target] ?? 0) + 1;
      await this.stack.restartService(target);
    }
  }

  private answered(): number {
    return this.history.writes.filter(({ answers }) => answers.length > 0).length;
  }

  private async met(holds: () => boolean): Promise<boolean> {
    for (const end = performance.now() + MEETING_MS; !holds(); await delay(2))
      if (performance.now() > end) return false;
    return true;
  }

  /**
   * Streams have sent events, and receivers answer nobody until the gateway waits for one of them. Returns what to do
   * once it is killed: receivers answer again, and what it waited for has to come again.
   */
  private async caughtSending(all: readonly Watched[]): Promise<() => void> {
    await this.met(() => all.every(({ stream }) => stream.followed.sending));
    const held: (() => void)[] = [];
    for (const { receiver, killed } of all)
      receiver.answer((response, sent) => {
        held.push(() => {
          killed.add(idOf(sent));
          response.writeHead(204).end();
        });
      });
    if (await this.met(() => held.length > 0)) this.report.killedWhileSending += 1;
    return () => {
      for (const { receiver } of all) receiver.answer((response) => void response.writeHead(204).end());
      for (const end of held) end();
    };
  }

  private async atRest(): Promise<void> {
    const wrong = await this.inDatabases(wrongAtRest);
    this.report.violations.push(...wrong);
  }

  private waiting(ws: string): Promise<string[]> {
    return this.inDatabases(async (databases) => {
      const rows = databases.of('gateway').collection<Delivery>('webhook_deliveries').find({ ws, state: 'waiting' });
      return (await rows.toArray()).map(({ kind, attempts }) => `${kind} waits after ${JSON.stringify(attempts)}`);
    });
  }

  private async inDatabases<T>(look: (databases: Databases) => Promise<T>): Promise<T> {
    const databases = await Databases.open(this.stack.mongodbUri, this.stack.prefix);
    return look(databases).finally(() => databases.close());
  }

  private async check(of: Watched): Promise<void> {
    const { sandbox, before, cursor, stream, receiver, killed } = of;
    const { report } = this;
    const key = secretOf(sandbox, 'full');
    const feed = await readWhole(this.stack, key);
    const sent = feed.filter(({ id }) => !before.has(id));
    const who = `webhooks of ${sandbox.name}`;
    await caughtUp(() => {
      const came = eventIdsOf(receiver);
      const whole = [cursor, stream].every(({ followed }) => followed.ids.length >= feed.length);
      const again = wrongWithKilled(who, receiver.received, killed).length === 0;
      return whole && again && sent.every(({ id }) => came.has(id));
    });
    for (const [how, follower] of [
      ['cursor', cursor],
      ['stream', stream],
    ] as const) {
      await follower.stop().catch((error: unknown) => report.violations.push(`${how} of ${sandbox.name}: ${error}`));
      report.violations.push(...wrongWithFollowed(`${how} of ${sandbox.name}`, follower.followed.ids, feed));
      report.interruptions[how] += follower.followed.interruptions;
    }
    report.streams.cut += stream.followed.cut;
    report.streams.resumed += stream.followed.resumed;
    const repeated = receiver.received.length - new Set(receiver.received.map(idOf)).size;
    const wrong = [
      ...wrongWithWebhooks(who, receiver.received, feed, before),
      ...wrongWithKilled(who, receiver.received, killed),
    ];
    report.violations.push(...wrong, ...(wrong.length === 0 ? [] : await this.waiting(sandbox.id)));
    report.webhooks.killed += killed.size;
    report.webhooks.sent += receiver.received.length;
    report.webhooks.repeated += repeated;
    report.events += feed.length;
    await this.compare(of);
  }

  private async compare({ sandbox, person, cursor: { followed } }: Watched): Promise<void> {
    const readAs =
      (key: string | null, headers: Record<string, string>): Read =>
      async <T>(name: OperationName, input: Record<string, unknown> = {}): Promise<T> => {
        for (;;) {
          const { status, body } = await ask(this.stack, key, name, input as never, headers);
          if (status === 200) return body as T;
          if (status !== 429) throw new Error(`${name} answered ${status}`);
          await delay(REFILLED_MS);
        }
      };
    await expectSame(followed.fold, readAs(secretOf(sandbox, 'full'), {}), readAs(null, person)).catch(
      (error: unknown) => {
        this.report.violations.push(
          `I69: the feed of ${sandbox.name} does not add up to what the reads answer: ${error}`,
        );
      },
    );
  }
}

const idOf = ({ headers }: Receiver['received'][number]): string => String(headers['webhook-id']);

const eventIdsOf = ({ received }: Receiver): Set<string> =>
  new Set(received.map(({ body }) => (JSON.parse(body) as { data: FeedEventResource }).data.id));

/** Waits until it holds, but not for ever: what is missing then is found by the comparison. */
const caughtUp = async (holds: () => boolean): Promise<void> => {
  const end = performance.now() + CATCH_UP_MS;
  while (!holds() && performance.now() < end) await delay(LOOK_EVERY_MS);
};

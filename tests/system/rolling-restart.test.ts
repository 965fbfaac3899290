// @night: replaces every process under load, alone on the machine.
import { setTimeout as delay } from 'node:timers/promises';
import { BUS_ADMIN, SERVICES, type ServiceName } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { aDraft } from '../support/matrix-arguments.js';
import { ADDED, makeNextVersion } from '../support/next-version.js';
import { aBrand, anIdempotencyKey, ask, type Stack, secretOf, startWholeStack } from '../support/stack.js';
import { StackWindows } from '../support/windows.js';

/**
 * Every process of two of each service is replaced, one after the other, while callers work through one address, on a
 * bus of three servers (docs/operating.md#a-rolling-upgrade-under-load). A round brings the next version, whose events
 * have a field more, and the round after it goes back. `CDS_ROLLING_ROUNDS` sets the rounds, `CDS_ROLLING_RPS` how many
 * requests are sent a second, however fast they are answered: few by default, since two cores carry these sixteen
 * processes.
 */
const ROUNDS = Number(process.env['CDS_ROLLING_ROUNDS'] ?? 1);
const REQUESTS_A_SECOND = Number(process.env['CDS_ROLLING_RPS'] ?? 8);
const loud = process.env['CDS_ROLLING_ROUNDS'] !== undefined;
const CALLERS = 16;
const QUIET_MS = 20_000;
/** The least that is sent in a round, also where replacing everything takes only seconds. */
const LEAST = 101;
/** How often a process is started at most until it is ready: any supervisor restarts a process that ends by itself. */
const STARTS = 5;
/** A caller's requests take turns; each fifth is a write. */
const READS = ['inventory', 'campaign_status', 'orders_list', 'results_list'] as const;

const say = (text: string): void => {
  if (loud) process.stderr.write(`  ${text}\n`);
};

const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0);

describe('a rolling upgrade of two replicas of each service', () => {
  let stack: Stack;
  let mongo: MongoClient;
  let windows: StackWindows;
  let databases: Databases;
  let isNext = false;
  let callers: { key: string; campaign: string; isWriting: boolean }[];

  beforeAll(async () => {
    const next = makeNextVersion();
    stack = await startWholeStack({
      creators: 300,
      entryFor: (service) => (isNext && service !== BUS_ADMIN ? next(service) : undefined),
      behindProxy: true,
      busMembers: 3,
      replicas: Object.fromEntries(SERVICES.map((service) => [service, 2])),
    });
    mongo = await MongoClient.connect(stack.mongodbUri);
    windows = await StackWindows.open(stack);
    databases = await Databases.open(stack.mongodbUri, stack.prefix);
    callers = [];
    while (callers.length < CALLERS) {
      const { live, sandbox } = await aBrand(stack);
      for (const workspace of [live, sandbox]) {
        const key = secretOf(workspace, 'full');
        const made = await ask(stack, key, 'create_campaign', aDraft(new Date().toISOString().slice(0, 10)));
        callers.push({ key, campaign: (made.body as { id: string }).id, isWriting: false });
      }
    }
  }, 240_000);

  afterAll(async () => {
    await mongo?.close();
    await windows?.close();
    await databases?.close();
    await stack?.stop();
  }, 60_000);

  /** The load is that of many keys; these few get a new minute each second. */
  const freshMinute = () => windows.beginAgain();

  const rename = async (caller: (typeof callers)[number], name: string) => {
    caller.isWriting = true;
    try {
      const { key, campaign: id } = caller;
      return await ask(stack, key, 'rename_campaign', { id, name }, { 'idempotency-key': anIdempotencyKey() });
    } finally {
      caller.isWriting = false;
    }
  };

  const request = async (count: number): Promise<string | null> => {
    const caller = callers[count % callers.length] as (typeof callers)[number];
    const { key, campaign } = caller;
    const turn = Math.floor(count / callers.length) % (READS.length + 1);
    // Writes to one campaign that overlap may well refuse each other, so a caller reads until its last one is answered.
    const read = READS[turn] ?? (caller.isWriting ? 'campaign_status' : undefined);
    const answer =
      read === undefined
        ? await rename(caller, `Draft ${count}`)
        : await ask(stack, key, read, read === 'campaign_status' ? { id: campaign } : {});
    return answer.status < 300 ? null : `${read ?? 'rename_campaign'} ${answer.status} ${JSON.stringify(answer.body)}`;
  };

  const restart = async (service: ServiceName, index: number): Promise<number> => {
    for (let starts = 1; ; starts += 1)
      try {
        await stack.restartService(service, index);
        return starts;
      } catch (error) {
        if (starts === STARTS) throw error;
        say(`${service} ${index + 1} is started again: ${String(error)}`);
      }
  };

  const replaceAll = async (): Promise<void> => {
    const gatewayPorts = stack.appUrls.map((url) => Number(new URL(url).port));
    for (const service of SERVICES)
      for (const index of [0, 1]) {
        const replace = () => restart(service, index);
        if (service === 'gateway') await stack.front?.without(gatewayPorts[index] ?? 0, replace);
        else await replace();
      }
  };

  /** Sends at the rate while the work is done, and answers what became of the requests. */
  const underLoad = async (
    work: () => Promise<void>,
  ): Promise<{ failed: string[]; took: number[]; perSecond: number }> => {
    let over = false;
    let sent = 0;
    const failed: string[] = [];
    const took: number[] = [];
    const running = new Set<Promise<void>>();
    const began = performance.now();
    const send = (): void => {
      sent += 1;
      const sentAt = performance.now();
      const one: Promise<void> = request(sent)
        .catch((error: unknown) => `no answer: ${String(error)}`)
        .then((problem) => {
          const ms = performance.now() - sentAt;
          took.push(ms);
          if (problem !== null) failed.push(`${problem} after ${ms.toFixed(0)} ms`);
          running.delete(one);
        });
      running.add(one);
    };
    const atRate = async () => {
      while (!over || sent < LEAST) {
        const due = ((performance.now() - began) / 1_000) * REQUESTS_A_SECOND;
        while (sent < due) send();
        await delay(10);
      }
    };
    const minutes = async () => {
      for (; !over || sent < LEAST; await delay(1_000)) await freshMinute();
    };
    const load = Promise.all([atRate(), minutes()]);
    try {
      await work();
    } finally {
      over = true;
      await load;
      await Promise.all(running);
    }
    return { failed, took, perSecond: sent / ((performance.now() - began) / 1_000) };
  };

  it(
    `fails no request in ${ROUNDS} rounds, and loses no event`,
    async () => {
      const failed: string[] = [];
      const measured = async (what: string, work: () => Promise<void>): Promise<void> => {
        const { perSecond, ...of } = await underLoad(work);
        const took = of.took.sort((one, other) => one - other);
        failed.push(...of.failed.map((problem) => `${what}: ${problem}`));
        say(
          `${what}: ${took.length} requests, ${perSecond.toFixed(0)} a second, ${of.failed.length} failed; half in ${at(took, 0.5)} ms, 99 % in ${at(took, 0.99)} ms, all in ${at(took, 1)} ms`,
        );
        expect(took.length).toBeGreaterThanOrEqual(LEAST);
      };
      // What the machine can carry at all, for readers of the rounds.
      if (loud) await measured('no restart', () => delay(QUIET_MS));
      for (let round = 1; round <= ROUNDS; round += 1) {
        isNext = !isNext;
        await measured(`round ${round}`, replaceAll);
      }

      expect(failed).toEqual([]);
      expect(await wrongAtRest(databases)).toEqual([]);
      const outbox = databases.of('planning').collection('outbox');
      const field = `payload.${ADDED}`;
      expect(await outbox.countDocuments({ [field]: { $exists: true } })).toBeGreaterThan(0);
      expect(await outbox.countDocuments({ [field]: { $exists: false } })).toBeGreaterThan(0);
      const parked = SERVICES.map((service) => databases.of(service).collection('dead_letters').countDocuments());
      expect(await Promise.all(parked)).toEqual(SERVICES.map(() => 0));
    },
    120_000 + ROUNDS * 180_000,
  );
});

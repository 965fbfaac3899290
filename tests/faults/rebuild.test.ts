// @night: what republishing promises has tests beside it; this one loses a whole bus.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  BUS_ADMIN,
  type CampaignStarted,
  DURABLES,
  type RepublishRun,
  SERVICES,
  type ServiceName,
} from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { aBrand, ask, keptStack, type Stack, secretOf } from '../support/stack.js';
import { Agent } from './agent.js';
import { History } from './history.js';
import { Random } from './random.js';

const QUIET_MS = 60_000;

/**
 * The rebuild drill: streams and consumers are lost while agents work, and no fact is (docs/reliability.md#events,
 * docs/reliability.md#faults; I29, I54).
 */
describe('a bus that lost what it held', () => {
  let stack: Stack;
  let databases: Databases;
  let bus: NatsConnection;

  const deleteEverything = async (): Promise<number> => {
    const manager = await jetstreamManager(bus);
    const streams = await manager.streams.list().next();
    for (const { config } of streams) {
      const consumers = await manager.consumers.list(config.name).next();
      for (const { name } of consumers) await manager.consumers.delete(config.name, name).catch(() => undefined);
      await manager.streams.delete(config.name).catch(() => undefined);
    }
    return streams.length;
  };
  const runs = async (): Promise<RepublishRun[]> =>
    ((await ask(stack, stack.opsToken, 'ops_republish_progress', {})).body as { runs: RepublishRun[] }).runs;
  const republish = async (): Promise<void> => {
    expect((await ask(stack, stack.opsToken, 'ops_republish', {})).status).toBe(202);
    const end = performance.now() + QUIET_MS;
    while ((await runs()).some((run) => run.done_at === null) && performance.now() < end) await delay(200);
  };
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  beforeAll(async () => {
    stack = await keptStack('faults');
    databases = await Databases.open(stack.mongodbUri, stack.prefix);
    const { host, username, password } = new URL(stack.natsUrl.replace('nats:', 'http:'));
    bus = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
  }, 120_000);
  afterAll(async () => {
    await bus?.close();
    await databases?.close();
  }, 60_000);

  it('gives a paid order its proposals though the event of its payment was lost', async () => {
    const key = secretOf((await aBrand(stack)).sandbox, 'full');
    const started = await ask(stack, key, 'create_campaign', {
      goal: 'launch',
      product: 'A tool for founders',
      moment: 'It goes live on the first day',
      window_start: day(3),
      window_end: day(20),
      budget_usd: 3_000,
    });
    const plan = (started.body as CampaignStarted).plan;
    const approved = await ask(stack, key, 'approve_plan', {
      id: plan?.plan_id ?? '',
      terms_fingerprint: plan?.terms_fingerprint ?? '',
    });
    expect(approved.status).toBe(200);
    const { order_id } = approved.body as { order_id: string };

    // Nobody follows while the order is paid, and the stream goes with the event in it.
    await stack.kill('proposals');
    await stack.kill('metrics');
    const paying = ask(stack, key, 'sandbox_order_payment', { id: order_id, outcome: 'paid' });
    const orders = databases.of('billing').collection<{ _id: string; paid_at: Date | null }>('orders');
    while ((await orders.findOne({ _id: order_id }))?.paid_at === null) await delay(20);
    const outbox = databases.of('billing').collection('outbox');
    while ((await outbox.countDocuments({ state: 'new' })) > 0) await delay(20);
    // One of each service, and the windows.
    expect(await deleteEverything()).toBe(SERVICES.length + 1);
    await Promise.all([stack.restartService('proposals'), stack.restartService('metrics')]);
    await paying;

    expect(await wrongAtRest(databases)).toEqual([]);
    const offers = databases.of('proposals').collection('offer_lines');
    expect(await offers.countDocuments({ order_id, attempts: { $gt: 0 } })).toBeGreaterThan(0);
    expect((await runs()).map(({ service, cause }) => [service, cause])).toContainEqual(['billing', 'stream_lost']);
  }, 180_000);

  it('breaks no invariant under load, and publishes all again when an operator asks', async () => {
    const random = new Random(7);
    const history = new History();
    let stop = false;
    const agents = [1, 2].map((index) => new Agent(stack, `agent${index}`, random.fork(), history, () => stop).run());
    const approvals = () =>
      history.writes.filter((one) => one.operation === 'approve_plan' && one.answers[0]?.status === 200).length;
    for (const wanted of [2, 4]) {
      while (approvals() < wanted) await delay(50);
      await deleteEverything();
    }
    while (approvals() < 6) await delay(50);
    await republish();
    stop = true;
    await Promise.all(agents);

    expect(await wrongAtRest(databases)).toEqual([]);
    expect(history.faults()).toEqual([]);
    await republish();
    expect(await wrongAtRest(databases)).toEqual([]);
  }, 300_000);

  it('publishes all again by the script of the running system, and waits until that is done', async () => {
    // What a fresh bus publishes by itself is over before the script asks.
    await republish();
    const system = { ops_url: stack.opsUrl, ops_token: stack.opsToken };
    writeFileSync(join(stack.home, 'runtime.json'), JSON.stringify(system), { mode: 0o600 });
    const before = new Map((await runs()).map(({ service, run }) => [service, run]));
    const environment = { ...process.env, CDS_HOME: stack.home };
    const { stdout } = await promisify(execFile)(process.execPath, ['tools/republish.ts', 'billing'], {
      env: environment,
      timeout: QUIET_MS,
    });
    const after = await runs();
    const billing = after.find(({ service }) => service === 'billing');
    expect(billing).toMatchObject({ cause: 'operator', done_at: expect.any(String) });
    expect(stdout).toContain(`billing ${billing?.sent}`);
    expect(after.filter(({ service, run }) => run !== before.get(service)).map(({ service }) => service)).toEqual([
      'billing',
    ]);
  }, 90_000);

  /** The durables that a service's readiness reports as detached. */
  const reportedBy = async (service: ServiceName): Promise<string[]> => {
    const [process] = stack.services[service] ?? [];
    const answer = await fetch(`http://127.0.0.1:${process?.opsPort()}/readyz`);
    const { error } = (await answer.json()) as { error?: { consumers?: { problem: string } } };
    expect([200, 503]).toContain(answer.status);
    if (answer.ok) return [];
    return (error?.consumers?.problem ?? '').match(/\w+_from_\w+/g)?.sort() ?? [];
  };
  const reported = async (): Promise<string[]> => (await Promise.all(SERVICES.map(reportedBy))).flat();
  const untilReported = async (count: number, withinMs: number): Promise<string[]> => {
    const end = performance.now() + withinMs;
    let found = await reported();
    while (found.length !== count && performance.now() < end) found = await reported();
    return found;
  };

  it('makes every service unready for each consumer that is detached, until all are attached again', async () => {
    await stack.kill(BUS_ADMIN);
    await deleteEverything();
    const all = SERVICES.flatMap((service) =>
      DURABLES.filter(({ consumer }) => consumer === service)
        .map(({ name }) => name)
        .sort(),
    );
    expect(await untilReported(all.length, 10_000)).toEqual(all);

    await stack.restartService(BUS_ADMIN);
    const declared = performance.now();
    expect(await untilReported(0, 10_000)).toEqual([]);
    expect(performance.now() - declared).toBeLessThan(5_000);
  }, 60_000);
});

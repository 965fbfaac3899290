import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { type Stack, startStack } from '../../../tools/lib/stack.js';
import { benchBuilder } from './builder.js';
import { type Fixture, seedFixture } from './fixture.js';
import { ApproveFloor } from './floor.js';
import { HttpLoad, requestBytes } from './http-load.js';
import { CpuMeter } from './processes.js';
import { printTable } from './report.js';
import { quantile, runRounds, type Slice, type Variant, type VariantReport } from './rounds.js';

/**
 * `npm run bench`: interleaved slices of the system and its references on the same engines (performance 1). Prints median
 * ratios, CPU per request by process and p50/p99, and writes loadtest/results/bench.json.
 */
const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 3 : 10;
const SECONDS = quick ? 1 : 2;
const BRANDS = quick ? 12 : 84;
const CONNECTIONS = 64;
const SIGNERS = 16;

const say = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K  ${text}` : `  ${text}\n`);
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

const ENGINES = { mongod: [Number(process.env['CDS_BENCH_MONGOD_PID'])] };

/** Starts `mono` on copies of what the system reads, so that both pay for the same documents. */
const startMono = async (stack: Stack, fixture: Fixture): Promise<{ port: number; child: ChildProcess }> => {
  const client = await MongoClient.connect(stack.mongodbUri);
  const database = `${stack.prefix}bench_mono`;
  const target = client.db(database);
  const copies = [
    ['gateway', 'keys'],
    ['planning', 'plans'],
    ['planning', 'campaigns'],
    ['catalog', 'creators'],
    ['billing', 'authority'],
    ['billing', 'terms'],
  ] as const;
  for (const [service, name] of copies) {
    say(`copying ${name} for mono`);
    await client
      .db(`${stack.prefix}cds_${service}`)
      .collection(name)
      .aggregate([{ $out: { db: database, coll: name } }])
      .toArray();
  }
  await target.collection('creators').createIndex({ 'units.unit_id': 1 });
  const answers = target.collection<{ _id: string; json: string }>('answers');
  for (const workspace of fixture.workspaces) {
    const secret = workspace.keys.find((key) => key.name === 'narrow')?.secret ?? '';
    const response = await fetch(`${stack.apiUrl}/inventory`, { headers: { authorization: `Bearer ${secret}` } });
    await answers.insertOne({ _id: workspace.id, json: await response.text() });
  }
  const [one] = fixture.plans;
  const quote = await fetch(`${stack.apiUrl}/plans/${one?.planId}/quote`, {
    headers: { authorization: `Bearer ${one?.secrets[0]}` },
  });
  await answers.insertOne({ _id: 'quote', json: await quote.text() });
  await client.close();

  const secrets = JSON.parse(readFileSync(join(stack.home, 'secrets.json'), 'utf8')) as {
    key_peppers: Record<string, string>;
  };
  const port = await freePort();
  const child = fork(join(import.meta.dirname, 'mono.js'), [
    String(port),
    stack.mongodbUri,
    database,
    secrets.key_peppers['1'] ?? '',
  ]);
  await new Promise((resolve) => child.once('message', resolve));
  return { port, child };
};

/** A variant over HTTP: every request by another key, in turn. */
const httpVariant = async (
  name: string,
  port: number,
  connections: number,
  next: () => Buffer,
  pids: Record<string, number[]>,
): Promise<{ variant: Variant; close: () => void }> => {
  const load = new HttpLoad(port, connections);
  await load.open();
  const meter = new CpuMeter(pids);
  return {
    close: () => load.close(),
    variant: {
      name,
      slice: async (seconds): Promise<Slice> => {
        meter.start();
        const result = await load.slice(seconds, next);
        const cpu = meter.stop();
        const good = [...result.statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
        return {
          perSecond: result.requests / result.seconds,
          p50: quantile(result.latencies, 0.5),
          p99: quantile(result.latencies, 0.99),
          cpu: Object.fromEntries(Object.entries(cpu).map(([process, micros]) => [process, micros / result.requests])),
          failed: result.requests - good,
        };
      },
    },
  };
};

const inTurn = (requests: readonly Buffer[]): (() => Buffer) => {
  let index = 0;
  return () => {
    index = (index + 1) % requests.length;
    return requests[index] as Buffer;
  };
};

const pidsOf = (stack: Stack, services: readonly string[]): Record<string, number[]> => ({
  ...Object.fromEntries(
    services.map((service) => [service, (stack.services[service] ?? []).flatMap((one) => one.pid ?? [])]),
  ),
  nats: [stack.nats.pid ?? 0],
  ...ENGINES,
});

const read = async (
  stack: Stack,
  mono: { port: number; child: ChildProcess },
  requests: readonly Buffer[],
  services: readonly string[],
): Promise<VariantReport[]> => {
  const port = Number(new URL(stack.appUrl).port);
  const ours = await httpVariant('ours', port, CONNECTIONS, inTurn(requests), pidsOf(stack, services));
  const reference = await httpVariant('mono', mono.port, CONNECTIONS, inTurn(requests), {
    mono: [mono.child.pid ?? 0],
    ...ENGINES,
  });
  const report = await runRounds([reference.variant, ours.variant], {
    rounds: ROUNDS,
    seconds: SECONDS,
    progress: say,
  });
  ours.close();
  reference.close();
  return report;
};

/** Approvals at `concurrency` in flight against the floor: everything in one transaction of one database. */
const approve = async (
  stack: Stack,
  fixture: Fixture,
  concurrency: number,
  rounds: number,
  seconds: number,
): Promise<VariantReport[]> => {
  const floor = await ApproveFloor.open(stack.mongodbUri, `${stack.prefix}bench_floor_${concurrency}`, 20_000, 168);
  const floorVariant: Variant = {
    name: 'floor',
    slice: async (length) => {
      const meter = new CpuMeter({ driver: [process.pid], ...ENGINES });
      meter.start();
      const latencies: number[] = [];
      const started = performance.now();
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          while (performance.now() - started < length * 1000) {
            const at = performance.now();
            await floor.approve();
            latencies.push(performance.now() - at);
          }
        }),
      );
      const elapsed = (performance.now() - started) / 1000;
      const sorted = latencies.sort((a, b) => a - b);
      const cpu = Object.fromEntries(
        Object.entries(meter.stop()).map(([name, micros]) => [name, micros / latencies.length]),
      );
      return {
        perSecond: latencies.length / elapsed,
        p50: quantile(sorted, 0.5),
        p99: quantile(sorted, 0.99),
        cpu,
        failed: 0,
      };
    },
  };

  let count = 0;
  const next = () => {
    const plan = fixture.signable.pop();
    if (plan === undefined) throw new Error('no plan is left to sign; lower the rounds');
    count += 1;
    return requestBytes(
      'POST',
      `/api/v1/plans/${plan.planId}/approve`,
      {
        host: new URL(stack.appUrl).host,
        authorization: `Bearer ${plan.secret}`,
        'idempotency-key': `bench-${concurrency}-${count}`,
      },
      JSON.stringify({ terms_fingerprint: plan.fingerprint }),
    );
  };
  const port = Number(new URL(stack.appUrl).port);
  const ours = await httpVariant(
    'ours',
    port,
    concurrency,
    next,
    pidsOf(stack, ['gateway', 'billing', 'planning', 'catalog', 'proposals', 'metrics']),
  );
  const report = await runRounds([floorVariant, ours.variant], { rounds, seconds, progress: say });
  ours.close();
  await floor.close();
  return report;
};

const main = async (): Promise<void> => {
  say('starting the system');
  const stack = await startStack();
  try {
    const fixture = await seedFixture(stack, { brands: BRANDS, plansEach: 60, say });
    const mono = await startMono(stack, fixture);
    const get = (path: string, secret: string) =>
      requestBytes('GET', path, { host: new URL(stack.appUrl).host, authorization: `Bearer ${secret}` });
    const inventory = fixture.readers.map((secret) => get('/api/v1/inventory', secret));
    const quotes = fixture.plans.flatMap((plan) =>
      plan.secrets.map((secret) => get(`/api/v1/plans/${plan.planId}/quote`, secret)),
    );

    const results: Record<string, VariantReport[]> = {};
    say('GET /inventory');
    results['GET /inventory, 64 connections'] = await read(stack, mono, inventory, ['gateway', 'catalog']);
    say('GET /plans/{id}/quote');
    results['GET /plans/{id}/quote, 64 connections'] = await read(stack, mono, quotes, [
      'gateway',
      'planning',
      'catalog',
      'billing',
    ]);
    mono.child.kill();
    say('POST /plans/{id}/approve');
    results[`POST /plans/{id}/approve, ${SIGNERS} in flight`] = await approve(stack, fixture, SIGNERS, ROUNDS, SECONDS);
    results['POST /plans/{id}/approve, 1 in flight'] = await approve(stack, fixture, 1, Math.min(ROUNDS, 5), SECONDS);

    say('');
    for (const [title, report] of Object.entries(results)) printTable(title, report);
    const folder = join(import.meta.dirname, '..', '..', 'results');
    mkdirSync(folder, { recursive: true });
    const machine = {
      node: process.version,
      cores: cpus().length,
      cpu: cpus()[0]?.model,
      at: new Date().toISOString(),
    };
    writeFileSync(
      join(folder, 'bench.json'),
      `${JSON.stringify({ machine, rounds: ROUNDS, seconds: SECONDS, results }, null, 2)}\n`,
    );
    console.log('\nwritten to loadtest/results/bench.json');
  } finally {
    await stack.stop();
  }
};

/** `-- --only builder` needs no system and prints the builder's table alone. */
if (process.argv[process.argv.indexOf('--only') + 1] !== 'builder') await main();
benchBuilder();

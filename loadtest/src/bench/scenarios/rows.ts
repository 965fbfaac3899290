import { Agent } from 'node:http';
import { MongoClient } from 'mongodb';
import { plansOf } from '../fixture.js';
import { gate } from '../gates.js';
import { type Request, send, type Target, targetOf } from '../requests.js';
import { expireHalf } from '../retention.js';
import { median } from '../rounds.js';
import { fill, filledOf } from '../row-filling.js';
import type { Bench, Scenario } from '../scenario.js';
import { ROWS, SAMPLES, say } from '../settings.js';
import { statementsBetween, statementsSoFar } from '../statements.js';
import { swap } from '../swaps.js';
import { inTurn } from '../variants.js';

/** Of each operation, before a measurement: compilers and caches warm up first. */
const WARM = 30;
/** A statement that ran less often says nothing. */
const OFTEN = 20;
/** The time of these is that of waiting for the next change. */
const WAITS = 'getmore';
/** It uses none of the filled collections: each time is compared with its own in the same turn. */
const CONTROL = 'inventory';

type Times = Readonly<Record<string, number>>;

/**
 * Swap, replayed write, quote and approval before and after a million rows of other workspaces are in the commands, the
 * outbox, the inbox and the audit of planning and billing: gate 21. Then half of the rows expire, and the rate at which
 * the database removes them is measured.
 */
export const rows: Scenario = async (bench) => {
  const { stack } = bench;
  const client = await MongoClient.connect(stack.mongodbUri);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const operations = operationsOf(bench, targetOf(stack, agent));
    await repeated(operations, WARM);
    const before = await measured(client, bench, operations);
    await fill(client, stack);
    await repeated(operations, WARM);
    const after = await measured(client, bench, operations);
    const retention = await expireHalf(client, stack);
    const many = ROWS.toLocaleString('en');
    return {
      comparisons: {},
      figures: {
        [`Operations beside ${many} rows: ms, p50`]: beside(before.times, after.times),
        [`Operations beside ${many} rows: times that of ${CONTROL}`]: beside(before.relative, after.relative),
        [`Statements on ${many} rows: us of the database`]: beside(before.statements, after.statements),
        'Retention, half of all rows at once': retention,
      },
      gates: Object.keys(operations)
        .filter((name) => name !== CONTROL)
        .map((name) =>
          gate(
            21,
            `${name} beside ${many} rows, against ${CONTROL}`,
            '<=',
            1.3,
            (after.relative[name] ?? Number.NaN) / (before.relative[name] ?? Number.NaN),
          ),
        ),
    };
  } finally {
    agent.destroy();
    await client.close();
  }
};

type Operations = Readonly<Record<string, () => Promise<{ ms: number }>>>;

/** Each uses another plan or key at each time, so that no limit is reached. A replayed write is the swap before it. */
const operationsOf = (bench: Bench, at: Target): Operations => {
  const { editable, readable, signable } = plansOf(bench);
  const [nextEditable, nextReadable, nextReader] = [inTurn(editable), inTurn(readable), inTurn(bench.readers)];
  let newest: Request = { path: '', secret: '' };
  return {
    swap: async () => {
      const { request, ms } = await swap(at, nextEditable());
      newest = request;
      return { ms };
    },
    'replayed write': () => send(at, newest),
    quote: () => {
      const { planId, secrets } = nextReadable();
      return send(at, { path: `/api/v1/plans/${planId}/quote`, secret: secrets.at(-1) ?? '' });
    },
    approve: () => {
      const plan = signable.pop();
      if (plan === undefined) throw new Error('no plans are left to sign; seed more brands');
      const { planId, secret, fingerprint } = plan;
      const body = JSON.stringify({ terms_fingerprint: fingerprint });
      return send(at, { path: `/api/v1/plans/${planId}/approve`, secret, write: { key: `rows-${planId}`, body } });
    },
    [CONTROL]: () => send(at, { path: '/api/v1/inventory', secret: nextReader().secret }),
  };
};

/** The times of each operation; they take turns. */
const repeated = async (operations: Operations, times: number): Promise<ReadonlyMap<string, number[]>> => {
  const found = new Map<string, number[]>(Object.keys(operations).map((name) => [name, []]));
  for (let time = 0; time < times; time += 1)
    for (const [name, run] of Object.entries(operations)) found.get(name)?.push((await run()).ms);
  return found;
};

/**
 * The operations' times, also as multiples of the control's in the same turn, and those of their statements on the
 * filled collections.
 */
const measured = async (
  client: MongoClient,
  { stack }: Bench,
  operations: Operations,
): Promise<{ times: Times; relative: Times; statements: Times }> => {
  say('one operation at a time');
  const before = await statementsSoFar(client, stack);
  const times = await repeated(operations, SAMPLES);
  const ran = statementsBetween(before, await statementsSoFar(client, stack));
  const filled = new Set(filledOf(client, stack).map(({ title }) => title));
  const control = times.get(CONTROL) ?? [];
  const medians = (of: (own: readonly number[]) => readonly number[]): Times =>
    Object.fromEntries([...times].map(([name, own]) => [name, Number(median(of(own)).toFixed(2))]));
  return {
    times: medians((own) => own),
    relative: medians((own) => own.map((ms, turn) => ms / (control[turn] ?? Number.NaN))),
    statements: Object.fromEntries(
      ran
        .filter(({ collection, kind, count }) => filled.has(collection) && kind !== WAITS && count >= OFTEN)
        .map(({ collection, kind, micros }) => [`${collection} ${kind}`, micros]),
    ),
  };
};

const beside = (before: Times, after: Times): Record<string, { before: number; after: number }> =>
  Object.fromEntries(
    Object.entries(before).flatMap(([name, was]) => {
      const is = after[name];
      return is === undefined ? [] : [[name, { before: was, after: is }]];
    }),
  );

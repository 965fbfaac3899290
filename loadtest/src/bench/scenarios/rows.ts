import { Agent } from 'node:http';
import { MongoClient } from 'mongodb';
import { plansOf } from '../fixture.js';
import { goal } from '../goals.js';
import { type Request, send, type Target, targetOf } from '../requests.js';
import { median } from '../rounds.js';
import { fill } from '../row-filling.js';
import type { Bench, Scenario } from '../scenario.js';
import { ROWS, SAMPLES, say } from '../settings.js';
import { swap } from '../swaps.js';
import { inTurn } from '../variants.js';

const WARM = 30;
/** It uses none of the filled collections: each time is compared with its own in the same turn. */
const CONTROL = 'inventory';

type Times = Readonly<Record<string, number>>;

/** Swap, replayed write, quote and approval before and after a million rows of other workspaces: gate 21. */
export const rows: Scenario = async (bench) => {
  const { stack } = bench;
  const client = await MongoClient.connect(stack.mongodbUri);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const operations = operationsOf(bench, targetOf(stack, agent));
    await repeated(operations, WARM);
    const before = await measured(operations);
    await fill(client, stack);
    await repeated(operations, WARM);
    const after = await measured(operations);
    const many = ROWS.toLocaleString('en');
    return {
      comparisons: {},
      figures: {
        [`Operations beside ${many} rows: ms, p50`]: beside(before.times, after.times),
        [`Operations beside ${many} rows: times that of ${CONTROL}`]: beside(before.relative, after.relative),
      },
      goals: Object.keys(operations)
        .filter((name) => name !== CONTROL)
        .map((name) =>
          goal(
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

const repeated = async (operations: Operations, times: number): Promise<ReadonlyMap<string, number[]>> => {
  const found = new Map<string, number[]>(Object.keys(operations).map((name) => [name, []]));
  for (let time = 0; time < times; time += 1)
    for (const [name, run] of Object.entries(operations)) found.get(name)?.push((await run()).ms);
  return found;
};

const measured = async (operations: Operations): Promise<{ times: Times; relative: Times }> => {
  say('one operation at a time');
  const times = await repeated(operations, SAMPLES);
  const control = times.get(CONTROL) ?? [];
  const medians = (of: (own: readonly number[]) => readonly number[]): Times =>
    Object.fromEntries([...times].map(([name, own]) => [name, Number(median(of(own)).toFixed(2))]));
  return {
    times: medians((own) => own),
    relative: medians((own) => own.map((ms, turn) => ms / (control[turn] ?? Number.NaN))),
  };
};

const beside = (before: Times, after: Times): Record<string, { before: number; after: number }> =>
  Object.fromEntries(
    Object.entries(before).flatMap(([name, was]) => {
      const is = after[name];
      return is === undefined ? [] : [[name, { before: was, after: is }]];
    }),
  );

import { Agent, request } from 'node:http';
import { ownerSession } from '../../../../tools/lib/owner-session.js';
import { type Stack, seedBrand } from '../../../../tools/lib/stack.js';
import { goal } from '../goals.js';
import type { Scenario } from '../scenario.js';
import { ROUNDS } from '../settings.js';

const WARM = 10;
/** Requests of a page in a round. All pages of all rounds stay within the minute of a client address. */
const EACH = 10;
const LOGGED = 40;

/** The first byte of the pages that people open most, one request at a time and in turn: gate 16. */
export const pages: Scenario = async ({ stack }) => {
  const name = `bench-${process.pid}-${Date.now().toString(36)}`;
  const [live] = await seedBrand(stack, { name });
  const full = live?.keys.find((key) => key.name === 'full');
  if (full === undefined) throw new Error('the brand has no key');
  for (let logged = 0; logged < LOGGED; logged += 1)
    await fetch(`${stack.apiUrl}/inventory`, { headers: { authorization: `Bearer ${full.secret}` } });
  const cookie = await ownerSession(stack, name);
  const paths = {
    home: '/',
    keys: '/developers',
    key: `/developers/keys/${full.id}`,
    usage: '/developers/usage',
  };

  const times = new Map<string, number[]>();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (const path of Object.values(paths))
      for (let one = 0; one < WARM; one += 1) await firstByte(stack, agent, path, cookie);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [page, path] of Object.entries(paths))
        for (let one = 0; one < EACH; one += 1)
          times.set(page, [...(times.get(page) ?? []), await firstByte(stack, agent, path, cookie)]);
  } finally {
    agent.destroy();
  }

  const found = Object.fromEntries([...times].map(([page, own]) => [page, { p50: at(own, 0.5), p99: at(own, 0.99) }]));
  const slowest = Math.max(...Object.values(found).map(({ p50 }) => p50));
  return {
    comparisons: {},
    figures: { 'First byte of a page: ms': found },
    goals: [goal(16, 'first byte of a page, p50 of the slowest', '<=', 50, slowest, 'ms')],
  };
};

/** Milliseconds from the request to the head of its answer. The body is read, so that the connection is free again. */
const firstByte = (stack: Stack, agent: Agent, path: string, cookie: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request(new URL(path, stack.appUrl), { agent, headers: { cookie } }, (answer) => {
      const took = performance.now() - started;
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve(took);
        else reject(new Error(`GET ${path} responded ${answer.statusCode}`));
      });
    });
    sent.once('error', reject).end();
  });

const at = (times: readonly number[], part: number): number => {
  const sorted = [...times].sort((one, other) => one - other);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1));
};

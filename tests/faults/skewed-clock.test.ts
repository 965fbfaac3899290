// @night: a sweep of clocks over the whole system; each reading of time has tests beside it.
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { moveClock } from '../support/clocks.js';
import { aBrand, ask, keptStack, type Stack, secretOf } from '../support/stack.js';
import { Agent } from './agent.js';
import { wrongEffects } from './effects.js';
import { History } from './history.js';
import { Random } from './random.js';

const MINUTE_MS = 60_000;
/** Longer than a reading of the database's clock is used, so that the next one is made on the wrong clock. */
const NEXT_READING_MS = 6_000;

/** Decisions rest on the database's clock (docs/reliability.md#clocks). */
describe('clocks that are minutes off', () => {
  let stack: Stack;
  let databases: Databases;
  beforeAll(async () => {
    stack = await keptStack('faults');
    databases = await Databases.open(stack.mongodbUri, stack.prefix);
  }, 180_000);
  afterAll(async () => {
    await databases?.close();
    for (const { pid } of SERVICES.flatMap((service) => stack?.services[service] ?? [])) moveClock(stack, pid ?? 0, 0);
  }, 60_000);

  it('change nothing: every write is answered at once, and every audit holds', async () => {
    const history = new History();
    const key = secretOf((await aBrand(stack)).sandbox, 'full');
    const agent = new Agent(stack, 'skew', new Random(5), history, () => true);
    for (const side of [1, -1]) {
      // Neighbours are off in opposite directions.
      for (const [index, service] of SERVICES.entries())
        for (const { pid } of stack.services[service] ?? [])
          moveClock(stack, pid ?? 0, side * (index % 2 === 0 ? 10 : -20) * MINUTE_MS);
      // Of catalog and of planning: one of them is ahead.
      for (const read of ['inventory', 'campaigns_list'] as const)
        expect((await ask(stack, key, read, {})).status).toBe(200);
      await agent.job();
      await delay(NEXT_READING_MS);
      await agent.job();
    }
    await agent.pass(10);

    const signed = history.writes.filter(({ operation }) => operation === 'approve_plan');
    expect(signed.map(({ answers }) => answers[0]?.status)).toEqual([200, 200, 200, 200]);
    const unanswered = history.writes.filter(({ unknown }) => unknown > 0);
    expect(unanswered.map(({ operation, lastUnknown }) => `${operation}: ${lastUnknown}`)).toEqual([]);
    expect(await wrongAtRest(databases)).toEqual([]);
    expect(await wrongEffects(history, databases)).toEqual([]);
  }, 240_000);
});

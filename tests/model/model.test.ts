import type { Creators } from '@cds/contracts';
import { seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { GatewayBus } from '../support/gateway-bus.js';
import { aBrand, ask, type Stack, secretOf, startWholeStack } from '../support/stack.js';
import type { Unit } from './plans.js';
import type { Real } from './playing.js';
import { Reference } from './reference.js';
import { readAll, steps } from './steps.js';
import { Workspace } from './workspace.js';

/**
 * Campaigns, edits, dates, archive, budgets, prices, approvals, mandates, payments, cancels, refunds and month ends
 * against the reference model, each step over a random transport (docs/reliability.md#layers). Each run has its own
 * sandbox; lanes run in parallel, each with its own seed. `CDS_MODEL_SEED` replays a run; `CDS_MODEL_RUNS` sets the
 * number of runs, `CDS_MODEL_STEPS` their steps on average.
 */
const SEED = seedFrom('CDS_MODEL_SEED');
const RUNS = Number(process.env['CDS_MODEL_RUNS'] ?? 6);
const LANES = 6;
const STEPS = Number(process.env['CDS_MODEL_STEPS'] ?? 25);
/** Lengths are drawn evenly, and a step that finds nothing to work on is left out. */
const MOST_STEPS = STEPS * 3;
/** Several times what a step takes on two cores that others use as well, waits for a key's next minute included. */
const TIMEOUT_MS = Math.max(900_000, RUNS * STEPS * 250);

describe(`campaigns and plans against the reference model, ${RUNS} runs, seed ${SEED}`, () => {
  let stack: Stack;
  let gatewayBus: GatewayBus;
  let units: Unit[];
  const outcomes = new Map<string, number>();
  const count = { done: 0 };
  let waits = 0;

  beforeAll(async () => {
    stack = await startWholeStack({ creators: 150 });
    gatewayBus = await GatewayBus.open(stack);
    const reader = secretOf((await aBrand(stack)).sandbox, 'full');
    units = [];
    for (const offset of [0, 50]) {
      const page = (await ask(stack, reader, 'creators_search', { sort: 'price', dir: 'asc', limit: 50, offset })).body;
      for (const creator of (page as Creators).creators)
        for (const { unit_id, format, price_cents, buyable } of creator.offerings)
          units.push({ id: unit_id, creator: creator.id, format, priceCents: price_cents, buyable });
    }
  }, 120_000);

  afterAll(async () => {
    await gatewayBus?.close();
    await stack?.stop();
  });

  const aRun = async (): Promise<{ model: Reference; real: Real; end: () => Promise<void> }> => {
    const workspace = await Workspace.make(stack, gatewayBus);
    // No run may cross midnight by itself: one that starts late in the day first jumps to the next.
    const started = new Date(Date.now());
    const late = started.getUTCHours() === 23;
    const result = late ? await workspace.sandbox('sandbox_clock_jump', { to: 'midnight' }) : null;
    const now = (result?.value as { now: string } | undefined)?.now ?? started.toISOString();
    const begun = performance.now();
    const model = new Reference(new Map(units.map((unit) => [unit.id, unit])), now.slice(0, 10));
    const real: Real = {
      workspace,
      clock: { now: () => new Date(Date.parse(`${model.today}T${now.slice(11)}`) + performance.now() - begun) },
      trace: [`workspace ${workspace.id}, ${now}`],
      outcomes,
      steps: count,
    };
    const end = async () => {
      waits += workspace.waits;
      await workspace.close();
    };
    return { model, real, end };
  };

  const lane = (at: number) =>
    fc.assert(
      fc.asyncProperty(steps(MOST_STEPS), async (commands) => {
        const { model, real, end } = await aRun();
        try {
          await fc.asyncModelRun(() => ({ model, real }), commands);
          await readAll(model, real);
        } finally {
          await end();
        }
      }),
      { numRuns: Math.ceil(RUNS / LANES), seed: SEED + at, endOnFailure: true },
    );

  it(
    'every answer and every later read match the reference',
    async () => {
      const lanes = await Promise.allSettled(Array.from({ length: LANES }, (_none, at) => lane(at)));
      for (const [at, one] of lanes.entries())
        if (one.status === 'rejected') throw new Error(`lane ${at}: ${saidBy(one.reason)}`);
    },
    TIMEOUT_MS,
  );

  it('leaves nothing wrong in any database', async () => {
    const databases = await Databases.open(stack.mongodbUri, stack.prefix);
    try {
      expect(await wrongAtRest(databases)).toEqual([]);
    } finally {
      await databases.close();
    }
  }, 120_000);

  it('reached every outcome of these writes', () => {
    process.stderr.write(
      `model: seed ${SEED}, ${RUNS} runs, ${count.done} steps, ${waits} waits for a key's next minute\n`,
    );
    expect(count.done).toBeGreaterThan((RUNS * STEPS) / 2);
    // Short runs, such as a replay, need not reach the rare ones.
    const never = RUNS < 300 ? [] : EVERY_WAY.filter((way) => !outcomes.has(way));
    expect({ never, met: Object.fromEntries(outcomes) }).toMatchObject({ never: [] });
  });
});

/** Each write with the outcomes that a full run reaches at least ten times. */
const ENDS: Readonly<Record<string, string>> = {
  create: 'done no_mandate daily_campaign_limit',
  add: 'done not_found plan_signed archived no_mandate unprocessable already_in_plan bad_dates over_budget',
  swap: 'done not_found plan_signed archived no_mandate unprocessable already_in_plan over_budget past_the_budget',
  remove: 'done not_found plan_signed archived no_mandate last_creator',
  dates: 'done not_found plan_signed archived no_mandate bad_dates same_day',
  rename: 'done not_found archived no_mandate',
  guidelines: 'done archived',
  delete: 'done no_mandate has_plan',
  budget: 'done not_found plan_signed archived',
  campaign_archive: 'done',
  campaign_unarchive: 'done',
  approve:
    'done plan_signed archived no_mandate approval_not_allowed terms_changed over_budget lines_blocked over_monthly_cap',
  price: 'done',
  advance: 'done',
  mandate: 'done',
  pay: 'done bad_state',
  order_cancel: 'done order_processing order_paid bad_state',
  ops_order_cancel: 'done bad_state',
  refund: 'done unprocessable bad_state',
  credit: 'done bad_state',
};
const EVERY_WAY = Object.entries(ENDS).flatMap(([write, ends]) => ends.split(' ').map((end) => `${write} ${end}`));

/** The messages of a failed property and its step, with the steps that led there. */
const saidBy = (error: unknown): string =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [saidBy(error.cause)])].join('\n')
    : String(error);

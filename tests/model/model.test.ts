import type { Creators } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Desk } from '../support/gateway-bus.js';
import { aBrand, ask, type Stack, secretOf, startWholeStack } from '../support/stack.js';
import type { Real } from './playing.js';
import { Reference, type Unit } from './reference.js';
import { readAll, steps } from './steps.js';
import { Workspace } from './workspace.js';

/**
 * T2: campaigns, edits, dates, archive, budgets, prices and approvals against the reference model, the door drawn for
 * each step (reliability 5.1). A sandbox of its own for each run; several runs at once, each lane with its own seed.
 * `CDS_MODEL_SEED` replays, `CDS_MODEL_RUNS` sizes.
 */
const SEED = Number(process.env['CDS_MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const RUNS = Number(process.env['CDS_MODEL_RUNS'] ?? 300);
const LANES = 6;
/** Lengths are drawn evenly up to this, so that a run has 30 steps on average. */
const MOST_STEPS = 76;

describe(`campaigns and plans against the reference model, ${RUNS} runs, seed ${SEED}`, () => {
  let stack: Stack;
  let desk: Desk;
  let units: Unit[];
  const outcomes = new Map<string, number>();
  const count = { done: 0 };
  let waits = 0;

  beforeAll(async () => {
    stack = await startWholeStack({ creators: 150 });
    desk = await Desk.open(stack);
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
    await desk?.close();
    await stack?.stop();
  });

  const aRun = async (): Promise<{ model: Reference; real: Real; end: () => Promise<void> }> => {
    const workspace = await Workspace.make(stack, desk);
    // No run sees its date turn by itself: one that begins late in the day begins with the next.
    const started = new Date(Date.now());
    const late = started.getUTCHours() === 23;
    const told = late ? await workspace.sandbox('sandbox_clock_jump', { to: 'midnight' }) : null;
    const now = (told?.value as { now: string } | undefined)?.now ?? started.toISOString();
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

  it('every answer and everything read afterwards is as the reference says', async () => {
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, (_none, at) => lane(at)));
    for (const [at, one] of lanes.entries())
      if (one.status === 'rejected') throw new Error(`lane ${at}: ${saidBy(one.reason)}`);
  }, 900_000);

  it('met every way in which these writes can end', () => {
    process.stderr.write(
      `model: seed ${SEED}, ${RUNS} runs, ${count.done} steps, ${waits} waits for a key's next minute\n`,
    );
    expect(count.done).toBeGreaterThan(RUNS * 20);
    // Short runs, as for a replay, need not meet the rare ones.
    const never = RUNS < 300 ? [] : EVERY_WAY.filter((way) => !outcomes.has(way));
    expect({ never, met: Object.fromEntries(outcomes) }).toMatchObject({ never: [] });
  });
});

/** Each write with the ways in which the pages let it end that a whole run meets ten times and more. */
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
  approve: 'done plan_signed archived no_mandate approval_not_allowed terms_changed over_budget lines_blocked',
  price: 'done',
};
const EVERY_WAY = Object.entries(ENDS).flatMap(([write, ends]) => ends.split(' ').map((end) => `${write} ${end}`));

/** What a property and the step in it said; the steps that led there stand in it. */
const saidBy = (error: unknown): string =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [saidBy(error.cause)])].join('\n')
    : String(error);

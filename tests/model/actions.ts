import fc from 'fast-check';
import type { Endpoint } from '../support/endpoints.js';
import type { Outcome } from './orders.js';
import { type Goal, type Key, type Line, totalOf } from './plans.js';

/** A number picks from what exists when its step runs, so that a step is meaningful wherever it comes. */
export type Choice = number;
export type By = { transport: Endpoint['name']; key: Key };
export type Action =
  | { do: 'create'; by: By; goal: Goal; moment: number; start: number; length: number; budgetUsd: number }
  | { do: 'add'; by: By; plan: Choice | 'current' | 'foreign'; unit: UnitPick; day: number | null }
  | { do: 'swap'; by: By; plan: Choice; line: Choice | 'foreign'; unit: UnitPick }
  | { do: 'remove'; by: By; plan: Choice; line: Choice | 'foreign' }
  | { do: 'dates'; by: By; plan: Choice | 'foreign'; start: number; length: number }
  | { do: 'rename'; by: By; campaign: Choice; name: string }
  | { do: 'guidelines'; by: By; campaign: Choice; pitch: string; dos: string[] }
  | { do: 'delete'; by: By; campaign: Choice }
  | { do: 'archive'; campaign: Choice; archived: boolean }
  | { do: 'budget'; campaign: Choice; cents: (lines: readonly Line[]) => number }
  | { do: 'price'; unit: UnitPick; cents: number | 'off_sale' | 'on_sale' | 'clear' }
  | { do: 'approve'; by: By; plan: Choice; fingerprint: 'current' | 'other' }
  | { do: 'quote'; by: By; plan: Choice }
  | { do: 'pay'; order: Choice; outcome: Outcome }
  | { do: 'cancel'; order: Choice; by: 'brand' | 'team' }
  | { do: 'refund'; order: Choice; line: Choice | null; cents: (of: number) => number }
  | { do: 'credit'; order: Choice; credit: Choice }
  | { do: 'mandate'; maxPlanCents: number; capCents: (spent: number) => number }
  | { do: 'advance'; days: number | 'to the next month' };
export type Of<Kind extends Action['do']> = Extract<Action, { do: Kind }>;
export type UnitPick = { from: 'network' | 'cheap' | 'plan' | 'foreign'; at: Choice };

const by: fc.Arbitrary<By> = fc.record({
  transport: fc.constantFrom('REST' as const, 'MCP' as const),
  key: fc.oneof(
    { weight: 14, arbitrary: fc.constant('full' as const) },
    { weight: 4, arbitrary: fc.constant('muted' as const) },
    { weight: 1, arbitrary: fc.constant('bare' as const) },
  ),
});
const pick = fc.nat(1_000);
const seldomForeign = fc.oneof(
  { weight: 24, arbitrary: pick },
  { weight: 1, arbitrary: fc.constant('foreign' as const) },
);
const unit: fc.Arbitrary<UnitPick> = fc.record({
  from: fc.oneof(
    { weight: 10, arbitrary: fc.constant('network' as const) },
    { weight: 14, arbitrary: fc.constant('cheap' as const) },
    { weight: 3, arbitrary: fc.constant('plan' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
  ),
  at: pick,
});

const create = fc.record({
  do: fc.constant('create' as const),
  by,
  goal: fc.constantFrom<Goal>('launch', 'funding', 'feature', 'program'),
  moment: fc.nat(6),
  start: fc.nat(5),
  length: fc.nat(40),
  budgetUsd: fc.constantFrom(0.01, 500, 2_000, 6_000, 30_000),
});
const add = fc.record({
  do: fc.constant('add' as const),
  by,
  plan: fc.oneof({ weight: 3, arbitrary: fc.constant('current' as const) }, { weight: 6, arbitrary: seldomForeign }),
  unit,
  day: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: -3, max: 30 }) },
  ),
});
const swap = fc.record({ do: fc.constant('swap' as const), by, plan: pick, line: seldomForeign, unit });
const remove = fc.record({ do: fc.constant('remove' as const), by, plan: pick, line: seldomForeign });
const dates = fc.record({
  do: fc.constant('dates' as const),
  by,
  plan: seldomForeign,
  start: fc.integer({ min: -1, max: 30 }),
  length: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -1, max: 45 }) },
    { weight: 1, arbitrary: fc.integer({ min: 360, max: 370 }) },
  ),
});
const rename = fc.record({
  do: fc.constant('rename' as const),
  by,
  campaign: pick,
  name: fc.stringMatching(/^[A-Za-z]{1,20}$/),
});
const guidelines = fc.record({
  do: fc.constant('guidelines' as const),
  by,
  campaign: pick,
  pitch: fc.stringMatching(/^[A-Za-z]{0,20}$/),
  dos: fc.array(fc.stringMatching(/^[A-Za-z]{1,20}$/), { maxLength: 3 }),
});
const remove_ = fc.record({ do: fc.constant('delete' as const), by, campaign: pick });
const archive = fc.record({
  do: fc.constant('archive' as const),
  campaign: pick,
  archived: fc.constantFrom(true, false, false),
});
const budget = fc.record({
  do: fc.constant('budget' as const),
  campaign: pick,
  cents: fc.constantFrom(
    named('exact', (lines: readonly Line[]) => totalOf(lines)),
    named('a cent under', (lines: readonly Line[]) => totalOf(lines) - 1),
    named('half', (lines: readonly Line[]) => Math.floor(totalOf(lines) / 2)),
    named('a tenth', (lines: readonly Line[]) => Math.floor(totalOf(lines) / 10)),
    named('twice', (lines: readonly Line[]) => 2 * totalOf(lines)),
    named('ten million dollars', () => 1_000_000_000),
  ),
});
const price = fc.record({
  do: fc.constant('price' as const),
  unit: fc.record({
    from: fc.oneof(
      { weight: 6, arbitrary: fc.constant('plan' as const) },
      { weight: 2, arbitrary: fc.constant('network' as const) },
    ),
    at: pick,
  }),
  cents: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom<number | 'off_sale' | 'on_sale' | 'clear'>(
        1_000,
        20_000,
        45_000,
        90_000,
        300_000,
        1_400_000,
      ),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom<number | 'off_sale' | 'on_sale' | 'clear'>('off_sale', 'on_sale', 'clear', 'clear'),
    },
  ),
});
const approve = fc.record({
  do: fc.constant('approve' as const),
  by,
  plan: pick,
  fingerprint: fc.oneof(
    { weight: 7, arbitrary: fc.constant('current' as const) },
    { weight: 1, arbitrary: fc.constant('other' as const) },
  ),
});
const quote = fc.record({ do: fc.constant('quote' as const), by, plan: pick });
const pay = fc.record({
  do: fc.constant('pay' as const),
  order: pick,
  outcome: fc.constantFrom<Outcome>(
    'paid',
    'paid',
    'paid',
    'pending',
    'pending',
    'settled',
    'failed',
    'declined',
    'expired',
  ),
});
const cancel = fc.record({
  do: fc.constant('cancel' as const),
  order: pick,
  by: fc.constantFrom('brand' as const, 'team' as const),
});
const refund = fc.record({
  do: fc.constant('refund' as const),
  order: pick,
  line: fc.option(pick),
  cents: fc.constantFrom(
    named('a cent', () => 1),
    named('a third', (of: number) => Math.floor(of / 3)),
    named('all', (of: number) => of),
    named('a cent more', (of: number) => of + 1),
  ),
});
const credit = fc.record({ do: fc.constant('credit' as const), order: pick, credit: pick });
const mandate = fc.record({
  do: fc.constant('mandate' as const),
  maxPlanCents: fc.constantFrom(2_500_000, 2_500_000, 400_000, 100_000),
  capCents: fc.constantFrom(
    named('as seeded', () => 6_000_000),
    named('what is spent', (spent: number) => Math.max(1, spent)),
    named('a little more', (spent: number) => spent + 150_000),
  ),
});
const advance = fc.record({
  do: fc.constant('advance' as const),
  days: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.constant(14) },
    { weight: 1, arbitrary: fc.constant('to the next month' as const) },
  ),
});

/** Each action is drawn as often as its name appears here. */
export const WEIGHTED: [number, fc.Arbitrary<Action>][] = [
  [4, create],
  [9, add],
  [8, swap],
  [7, remove],
  [6, dates],
  [3, rename],
  [2, guidelines],
  [3, remove_],
  [5, archive],
  [5, budget],
  [8, price],
  [8, approve],
  [3, quote],
  [6, pay],
  [3, cancel],
  [5, refund],
  [4, credit],
  [2, mandate],
  [1, advance],
];

function named<F extends ((lines: readonly Line[]) => number) | ((of: number) => number)>(name: string, rule: F): F {
  return Object.assign(rule, { toJSON: () => name });
}

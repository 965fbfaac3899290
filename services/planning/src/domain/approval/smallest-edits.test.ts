import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aCampaign, aCandidate, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import type { Line } from '../plan.js';
import type { ApprovalFacts } from './approval.js';
import type { FailedRule } from './preflight.js';
import { applied, type Goal, goalOf, goalOfAll, mayEdit, NO_OFFERS, Offers, smallestEdits } from './smallest-edits.js';

const campaign = aCampaign({ budget_cents: null });
type Sold = { id: string; cents: number; views: number; now?: number; day?: string };
const sold = ({ id, cents, views, now = cents, day = '2026-12-01' }: Sold) => {
  const unit = aUnit({ unit_id: `unit-${id}`, creator_id: `creator-${id}`, price_cents: now, expected_views: views });
  return { unit, line: aLine(unit, { id, price_cents: cents, scheduled_date: day }) };
};
const A: Sold = { id: 'a', cents: 400, views: 100 };
const B: Sold = { id: 'b', cents: 300, views: 50 };
const C: Sold = { id: 'c', cents: 300, views: 80 };

/** A plan with these lines, each on sale at what it costs now. */
const facts = (of: readonly Sold[], over: Partial<ApprovalFacts> = {}): ApprovalFacts => {
  const all = of.map(sold);
  return {
    plan: aPlan(
      campaign,
      all.map(({ line }) => line),
    ),
    campaign,
    units: new Map(all.map(({ unit }) => [unit.unit_id, unit])),
    mandate: aMandate({ max_plan_cents: 100_000, monthly_cap_cents: 100_000 }),
    spentCents: 0,
    currentTerms: { version: '2026-11-01' },
    termsUrl: null,
    now: NOW,
    today: TODAY,
    ...over,
  };
};
const NO_LIMIT = Number.POSITIVE_INFINITY;
const goal = (over: Partial<Goal> = {}): Goal => ({
  out: new Set(),
  budgetCents: NO_LIMIT,
  totalCents: NO_LIMIT,
  ...over,
});
const mandate = aMandate();
const anOffer = (id: string, price_cents: number, expected_views: number) => {
  const candidate = aCandidate({ creator_id: `creator-${id}`, price_cents, expected_views });
  return { ...candidate, units: candidate.units.map((unit) => ({ ...unit, unit_id: `unit-${id}` })) };
};
const said = (edits: ReturnType<typeof smallestEdits>): string | null =>
  edits === null
    ? null
    : edits.map(({ line, unitId }) => (unitId === null ? line.id : `${line.id} for ${unitId.slice(5)}`)).join(', ');

/** docs/domain/orders.md#preflight. */
describe('the fewest edits that reach a goal', () => {
  it.each<[edits: string | null, what: string, lines: Sold[], goal: Partial<Goal>]>([
    ['b', 'drop the line of least views of those that are enough', [A, B, C], { totalCents: 700 }],
    ['a', 'drop the only line that is enough', [A, B, C], { totalCents: 699 }],
    ['a', 'drop the only line that is enough, to the cent', [A, B, C], { totalCents: 600 }],
    ['c, b', 'drop two lines where no single one is enough', [A, B, C], { totalCents: 599 }],
    ['c, b', 'drop two lines, to the cent', [A, B, C], { totalCents: 400 }],
    ['a, b', 'drop another pair', [A, B, C], { totalCents: 399 }],
    [null, 'are none that leave a line', [A, B, C], { totalCents: 299 }],
    [null, 'are none for nothing at all', [A, B, C], { totalCents: 0 }],
    [null, 'are none for a budget of nothing', [A, B, C], { budgetCents: 0 }],
    ['b', 'keep to a budget', [A, B, C], { budgetCents: 700 }],
    ['a', 'drop a line that may not stay', [A, B, C], { out: new Set(['a']) }],
    ['a, b', 'drop one more where that is not enough', [A, B, C], { out: new Set(['a']), totalCents: 300 }],
    [null, 'are none when no line may stay', [A, B], { out: new Set(['a', 'b']) }],
    ['b', 'drop a line, even if the goal is reached at prices to come', [A, B, C], {}],
    [null, 'are none for a plan of one line', [A], { totalCents: 399 }],
  ])('%s: %s', (edits, _what, lines, of) => {
    expect(said(smallestEdits(facts(lines), goal(of), NO_OFFERS))).toBe(edits);
  });

  it('go by the views of a unit now, then by those of the line, and count none of a line without', () => {
    const of = facts([A, B, C]);
    const seen = new Map(
      [...of.units].map(([id, unit]) => [id, { ...unit, expected_views: id === 'unit-b' ? 900 : unit.expected_views }]),
    );
    expect(said(smallestEdits({ ...of, units: seen }, goal({ totalCents: 700 }), NO_OFFERS))).toBe('c');
    const lines = of.plan.lines.map((line): Line => ({ ...line, unit_id: null }));
    const unseen = { ...of, plan: { ...of.plan, lines } };
    expect(said(smallestEdits(unseen, goal({ totalCents: 700 }), NO_OFFERS))).toBe('b');
    const blank = lines.map((line) => ({ ...line, expected_views: line.id === 'c' ? null : line.expected_views }));
    expect(
      said(smallestEdits({ ...of, plan: { ...of.plan, lines: blank } }, goal({ totalCents: 700 }), NO_OFFERS)),
    ).toBe('c');
  });

  it.each<[edits: string | null, what: string, lines: Sold[], goal: Partial<Goal>, budget: number | null]>([
    ['a', 'current prices count', [{ ...A, now: 500 }, B, C], { totalCents: 600 }, null],
    ['b', 'current prices count for the budget', [{ ...A, now: 300 }, B, C], { budgetCents: 600 }, null],
    [
      'b',
      'prices of the plan count while current ones are over the budget',
      [{ ...A, now: 900 }, B, C],
      { totalCents: 700 },
      1_100,
    ],
    ['a', 'current prices count where they fit the budget', [{ ...A, now: 900 }, B, C], { totalCents: 700 }, 1_200],
  ])('%s: %s', (edits, _what, lines, of, budget_cents) => {
    const found = smallestEdits(facts(lines, { campaign: { ...campaign, budget_cents } }), goal(of), NO_OFFERS);
    expect(said(found)).toBe(edits);
  });

  it('of too many sets drop the dearest lines', () => {
    const lines = Array.from(
      { length: 40 },
      (_none, at): Sold => ({ id: `l${at}`, cents: 100 + at, views: 1_000 - at }),
    );
    const total = lines.reduce((sum, { cents }) => sum + cents, 0);
    const dearest = 139 + 138 + 137 + 136;
    expect(said(smallestEdits(facts(lines), goal({ totalCents: total - dearest }), NO_OFFERS))).toBe(
      'l36, l37, l38, l39',
    );
    const five = smallestEdits(facts(lines), goal({ totalCents: total - dearest - 1 }), NO_OFFERS);
    expect(said(five)).toBe('l35, l36, l37, l38, l39');
    // Three of 40 are 9,880 sets, which are all looked at.
    const three = smallestEdits(
      facts(lines.map((one) => ({ ...one, cents: 100 }))),
      goal({ totalCents: 3_700 }),
      NO_OFFERS,
    );
    expect(said(three)).toBe('l37, l38, l39');
  });
});

describe('a line is swapped rather than dropped', () => {
  const offers = (...of: ReturnType<typeof anOffer>[]): Offers => new Offers(of, mandate);
  it.each<[edits: string, what: string, offers: Offers, goal: Partial<Goal>, lines?: Sold[]]>([
    ['b for x', 'for a unit that fits', offers(anOffer('x', 200, 10)), { totalCents: 900 }],
    ['b for x', 'for a unit at the price of the line', offers(anOffer('x', 300, 10)), {}],
    ['b', 'not for a dearer unit', offers(anOffer('x', 301, 10)), {}],
    ['b', 'not where the rest is over the goal with it', offers(anOffer('x', 201, 10)), { totalCents: 900 }],
    ['b', 'not for a creator of the plan', offers(anOffer('a', 100, 10)), {}],
    ['b for y', 'for the unit of most views', offers(anOffer('x', 100, 10), anOffer('y', 200, 11)), {}],
    ['b for x', 'for the cheaper unit of as many views', offers(anOffer('y', 200, 10), anOffer('x', 100, 10)), {}],
    ['b for x', 'for the first id of equal units', offers(anOffer('y', 100, 10), anOffer('x', 100, 10)), {}],
    [
      'b for x',
      'for the next unit where the first is too dear',
      offers(anOffer('y', 301, 99), anOffer('x', 100, 10)),
      {},
    ],
    ['b', 'not for a price above what it costs now', offers(anOffer('x', 250, 10)), {}, [A, { ...B, now: 200 }, C]],
    ['b for x', 'for a price at what it costs now', offers(anOffer('x', 200, 10)), {}, [A, { ...B, now: 200 }, C]],
    ['b', 'not on a day that has passed', offers(anOffer('x', 100, 10)), {}, [A, { ...B, day: '2026-11-20' }, C]],
    ['b for x', 'on the day itself', offers(anOffer('x', 100, 10)), {}, [A, { ...B, day: TODAY }, C]],
    [
      'a for y, b for x',
      'each by another creator, the line of most views first',
      offers(anOffer('x', 100, 10), anOffer('y', 100, 20)),
      { out: new Set(['a', 'b']) },
    ],
    ['a for x, b', 'only once by one creator', offers(anOffer('x', 100, 10)), { out: new Set(['a', 'b']) }],
    [
      'a for x, b',
      'while the goal leaves room',
      offers(anOffer('x', 100, 20), anOffer('y', 100, 10)),
      { out: new Set(['a', 'b']), totalCents: 499 },
    ],
  ])('%s: %s', (edits, _what, from, of, lines = [A, B, C]) => {
    expect(said(smallestEdits(facts(lines), goal(of), from))).toBe(edits);
  });

  it('also where no line would be left without it', () => {
    expect(said(smallestEdits(facts([A]), goal({ totalCents: 399 }), offers(anOffer('x', 399, 1))))).toBe('a for x');
  });

  it('only on a channel that the mandate allows', () => {
    const reddit = new Offers([anOffer('x', 1, 1)], aMandate({ channels: ['reddit'] }));
    for (const none of [reddit, new Offers([anOffer('x', 1, 1)], null), NO_OFFERS])
      expect(none.best(1_000, new Set(), () => true)).toBeUndefined();
    expect(offers(anOffer('x', 1, 1)).best(1_000, new Set(), () => true)).toEqual({
      unitId: 'unit-x',
      creatorId: 'creator-x',
      cents: 1,
      views: 1,
    });
  });
});

describe('what edits must reach', () => {
  const rule = (reason: string, details: Record<string, unknown> = {}): FailedRule =>
    ({ code: 'conflict', reason, message: '', details }) as FailedRule;
  const of = facts([A, B]);
  const elsewhere = {
    ...of.plan,
    lines: of.plan.lines.map((line, at) => (at === 0 ? { ...line, channel: 'reddit' } : line)),
  };

  it.each<[what: string, rule: FailedRule, goal: Goal | null, facts: ApprovalFacts]>([
    [
      'the budget',
      rule('over_budget'),
      goal({ budgetCents: 500 }),
      { ...of, campaign: { ...campaign, budget_cents: 500 } },
    ],
    ['any amount without a budget', rule('over_budget'), goal(), of],
    ['a plan without blocked lines', rule('lines_blocked', { line_ids: ['a'] }), goal({ out: new Set(['a']) }), of],
    [
      'a plan on allowed channels',
      rule('channel_not_allowed'),
      goal({ out: new Set(['a']) }),
      { ...of, plan: elsewhere },
    ],
    [
      'no line without a mandate',
      rule('channel_not_allowed'),
      goal({ out: new Set(['a', 'b']) }),
      { ...of, mandate: null },
    ],
    ['the limit of a plan', rule('over_max_plan_total', { limit_cents: 7 }), goal({ totalCents: 7 }), of],
    ['what a month leaves', rule('over_monthly_cap', { limit_cents: 9, spent_cents: 4 }), goal({ totalCents: 5 }), of],
    ['what the rails take', rule('payments_closed', { limit_cents: 8 }), goal({ totalCents: 8 }), of],
    ['nothing for a total below what the rails take', rule('payments_closed', { limit_cents: 10_000_000 }), null, of],
    ['nothing while payments are closed', rule('payments_closed'), null, of],
    ['nothing for another rule', rule('no_mandate'), null, of],
  ])('is %s', (_what, failed, wanted, from) => {
    expect(goalOf(failed, from)).toEqual(wanted);
  });

  it('together is the least of all, and of what the mandate allows', () => {
    const capped = { ...of, mandate: aMandate({ max_plan_cents: 900, monthly_cap_cents: 1_000 }), spentCents: 50 };
    const all = (rules: FailedRule[], over: Partial<ApprovalFacts> = {}) => goalOfAll(rules, { ...capped, ...over });
    expect(all([])).toEqual(goal({ totalCents: 900 }));
    expect(all([], { spentCents: 200 })).toEqual(goal({ totalCents: 800 }));
    expect(all([], { parentMonth: { cap_cents: 700, spent_cents: 100 } })).toEqual(goal({ totalCents: 600 }));
    expect(all([], { campaign: { ...campaign, budget_cents: 450 } })).toEqual(
      goal({ budgetCents: 450, totalCents: 900 }),
    );
    expect(all([], { mandate: null })).toMatchObject({ totalCents: -50 });
    expect(all([], { mandate: null, spentCents: 0 })).toMatchObject({ totalCents: 0 });
    const both = [rule('lines_blocked', { line_ids: ['a'] }), rule('over_max_plan_total', { limit_cents: 5 })];
    expect(all([...both, rule('terms_changed'), rule('lines_blocked', { line_ids: ['b'] })])).toEqual(
      goal({ out: new Set(['a', 'b']), totalCents: 5 }),
    );
    expect(all([...both, rule('no_mandate')])).toBeNull();
  });

  it('is out of reach of a key that may not edit', () => {
    expect([mayEdit(of), mayEdit({ ...of, mandate: null })]).toEqual([true, false]);
  });
});

describe('a plan after edits', () => {
  const of = facts([A, B, C]);
  const [a, b, c] = of.plan.lines as [Line, Line, Line];
  const other = aUnit({ unit_id: 'unit-x', creator_id: 'creator-x', price_cents: 200 });
  const withOther = { ...of, units: new Map([...of.units, ['unit-x', other]]) };

  it('has them all', () => {
    const plan = applied(withOther, [
      { line: b, unitId: 'unit-x' },
      { line: c, unitId: null },
    ]);
    expect(plan?.lines.map(({ unit_id }) => unit_id)).toEqual(['unit-a', 'unit-x']);
    expect(plan?.version).toBe(of.plan.version + 2);
    expect(applied(of, [])).toBe(of.plan);
  });

  it.each<[what: string, facts: ApprovalFacts, edits: Parameters<typeof applied>[1]]>([
    ['a unit is unknown', of, [{ line: b, unitId: 'unit-x' }]],
    [
      'a unit is not listed',
      { ...of, units: new Map([...of.units, ['unit-x', { ...other, listed: false }]]) },
      [{ line: b, unitId: 'unit-x' }],
    ],
    ['a line is gone', of, [{ line: { ...b, id: 'z' }, unitId: null }]],
    ['no line would be left', of, [a, b, c].map((line) => ({ line, unitId: null }))],
    ['a swap is refused', { ...withOther, mandate: null }, [{ line: b, unitId: 'unit-x' }]],
  ])('is none where %s', (_what, from, edits) => {
    expect(applied(from, edits)).toBeNull();
  });
});

import { proves } from '@cds/contracts/testing';
import { addDays } from '@cds/service/calendar';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import type { Line } from '../plan.js';
import { totalOf } from '../plan.js';
import { notesOf } from '../quote/notes.js';
import { totalsOf } from '../quote/totals.js';
import { addAsks, addLine, type EditFacts, editGate, moveDates, removeLine, sharesADay, swapLine } from './edits.js';
import { currentTotal } from './repricing.js';

const [one, two] = [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 60_000 })];
const campaign = aCampaign({ budget_cents: 150_000 });
const lines = [aLine(one), aLine(two, { scheduled_date: '2026-12-03' })];

const facts = (over: Partial<EditFacts> = {}): EditFacts => ({
  plan: aPlan(campaign, lines),
  campaign,
  units: new Map([one, two].map((unit) => [unit.unit_id, unit])),
  mandate: aMandate(),
  now: NOW,
  today: TODAY,
  ...over,
});
const [first, second] = lines as [Line, Line];

describe('adding a creator (docs/domain/plans.md#edits)', () => {
  it('says how much room is left and by how much a price exceeds it (I18, I27)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300_000 }), fc.integer({ min: 0, max: 300_000 }), (price, budget) => {
        const unit = aUnit({ price_cents: price });
        const edited = addLine(facts({ campaign: { ...campaign, budget_cents: budget } }), unit, {
          id: 'new',
          date: undefined,
        });
        if (100_000 + price <= budget) return expect(edited.refusal).toBeNull();
        expect(edited.refusal).toMatchObject({
          reason: 'over_budget',
          details: {
            budget_cents: budget,
            remaining_cents: Math.max(0, budget - 100_000),
            price_cents: price,
            over_by_cents: 100_000 + price - budget,
          },
        });
      }),
    );
  });

  it('adds nobody while current prices leave no room, and promises none', () => {
    const risen = { ...first, price_cents: 10_000 };
    const plan = aPlan(campaign, [risen]);
    const units = new Map([[risen.unit_id ?? '', aUnit({ unit_id: risen.unit_id ?? '', price_cents: 60_000 })]]);
    const of = facts({ plan, units, campaign: { ...campaign, budget_cents: 50_000 } });
    expect(addLine(of, aUnit({ price_cents: 100 }), { id: 'new', date: undefined }).refusal).toMatchObject({
      reason: 'over_budget',
      details: { budget_cents: 50_000, remaining_cents: 0, price_cents: 100, over_by_cents: 10_100 },
    });
    expect(totalsOf(plan.lines, 50_000, currentTotal(plan.lines, units)).remaining_cents).toBe(0);
  });

  it('names the window of a day that lies outside it', () => {
    const outside = addLine(facts(), aUnit(), { id: 'new', date: '2029-01-01' });
    const { launch_window_start: start, launch_window_end: end } = facts().plan;
    expect(outside.refusal).toMatchObject({ reason: 'bad_dates' });
    expect(outside.refusal?.message).toContain(`inside the launch window, ${start} to ${end};`);
  });

  it('takes the emptiest day from the first day on', () => {
    const edited = addLine(facts(), aUnit(), { id: 'new', date: undefined });
    if (edited.refusal !== null) throw new Error(edited.refusal.reason);
    expect(edited.plan.lines.at(-1)).toMatchObject({
      id: 'new',
      scheduled_date: '2026-12-02',
      slot: 'Day 2, post',
      reason:
        'Added by you. Strong match: posts on startup founders in 14 of the last 30 posts; 9,000 to 27,000 expected views.',
      match_score: 80,
    });
    expect(edited.plan.version).toBe(2);
  });
});

describe('swapping a creator (docs/specification.md#swap-a-creator)', () => {
  it('always fits at or under the removed price, even past budget and mandate', () => {
    const tight = facts({ campaign: { ...campaign, budget_cents: 50_000 }, mandate: aMandate({ max_plan_cents: 1 }) });
    expect(swapLine(tight, second, aUnit({ price_cents: 60_000 }), 'new').refusal).toBeNull();
    expect(swapLine(tight, second, aUnit({ price_cents: 60_001 }), 'new').refusal).toMatchObject({
      reason: 'over_budget',
      details: { budget_cents: 50_000, remaining_cents: 10_000, price_cents: 60_001, over_by_cents: 50_001 },
    });
  });

  it('refuses a creator that is on the plan, the swapped one included', () => {
    const sameCreator = aUnit({ creator_id: second.creator_id ?? '', format: 'thread' });
    expect(swapLine(facts(), second, sameCreator, 'new').refusal?.reason).toBe('already_in_plan');
  });

  it('keeps the removed line’s place and day', () => {
    const unit = aUnit({ price_cents: 60_000 });
    const edited = swapLine(facts(), first, unit, 'new');
    if (edited.refusal !== null) throw new Error(edited.refusal.reason);
    expect(edited.plan.lines.map((line) => line.id)).toEqual(['new', second.id]);
    expect(edited.plan.lines[0]?.scheduled_date).toBe(first.scheduled_date);
  });
});

describe('the lines of a plan', () => {
  it('adds no line to a plan of 40', () => {
    const of = (count: number) => {
      const units = Array.from({ length: count }, () => aUnit({ price_cents: 1 }));
      const plan = aPlan(
        campaign,
        units.map((unit) => aLine(unit)),
      );
      const known = new Map(units.map((unit) => [unit.unit_id, unit]));
      return addLine(facts({ plan, units: known }), aUnit({ price_cents: 1 }), { id: 'new', date: undefined }).refusal;
    };
    expect(of(39)).toBeNull();
    expect(of(40)).toMatchObject({ code: 'conflict', reason: 'plan_full', details: { limit: 40 } });
  });
});

describe('repricing with an edit (docs/domain/plans.md#repricing)', () => {
  it('takes current prices while they fit the budget', () => {
    const dearer = new Map([
      [one.unit_id, { ...one, price_cents: 90_000 }],
      [two.unit_id, two],
    ]);
    const edited = removeLine(facts({ units: dearer }), second);
    if (edited.refusal !== null) throw new Error(edited.refusal.reason);
    expect(totalOf(edited.plan.lines)).toBe(90_000);
  });

  it('keeps the plan’s prices when current ones exceed the budget', () => {
    const dearer = new Map([
      [one.unit_id, { ...one, price_cents: 150_001 }],
      [two.unit_id, two],
    ]);
    const edited = removeLine(facts({ units: dearer }), second);
    if (edited.refusal !== null) throw new Error(edited.refusal.reason);
    expect(totalOf(edited.plan.lines)).toBe(40_000);
  });
});

describe('moving dates (docs/specification.md#move-the-dates)', () => {
  it('keeps each post’s place, pulls it inside a shorter window, and moves the slots', () => {
    const far = facts({ plan: aPlan(campaign, [first, { ...second, scheduled_date: '2026-12-15' }]) });
    const moved = moveDates(far, { start: '2027-01-04', end: '2027-01-10' });
    if (moved.refusal !== null) throw new Error(moved.refusal.reason);
    expect(moved.plan.lines.map((line) => [line.scheduled_date, line.slot])).toEqual([
      ['2027-01-04', 'Launch day, post'],
      ['2027-01-10', 'Day 7, post'],
    ]);
    expect(moved.linesMoved).toBe(2);
    expect(moved.campaign).toMatchObject({ window_start: '2027-01-04', window_end: '2027-01-10' });
    expect(totalOf(moved.plan.lines)).toBe(100_000);
  });

  it('moves the launch day with the posts, and the note names the day that the slots count from', () => {
    const before = facts({ plan: aPlan(campaign, [first, { ...second, scheduled_date: '2026-12-02' }]) });
    const moved = moveDates(before, { start: '2026-11-30', end: '2026-12-20' });
    if (moved.refusal !== null) throw new Error(moved.refusal.reason);
    expect(moved.plan.lines.map((line) => [line.scheduled_date, line.slot])).toEqual([
      ['2026-11-30', 'Launch day, post'],
      ['2026-12-01', 'Day 2, post'],
    ]);
    const { plan, campaign: after } = moved;
    const note = notesOf({ plan, campaign: after, shared: [], now: NOW }).find(({ kind }) => kind === 'launch_day');
    expect(note?.text).toMatch(/^2026-11-30 counts as the launch day: it moved with the dates/);
  });

  it.each([
    ['a start before today', { start: '2026-11-20', end: '2026-12-01' }, 'bad_dates'],
    ['an end before the start', { start: '2026-12-02', end: '2026-12-01' }, 'bad_dates'],
    ['more than a year', { start: '2026-12-01', end: '2027-12-02' }, 'bad_dates'],
  ])('refuses %s', (_name, to, reason) => {
    expect(moveDates(facts(), to).refusal?.reason).toBe(reason);
  });

  it('takes today and a whole year', () => {
    expect(moveDates(facts(), { start: TODAY, end: '2027-11-21' }).refusal).toBeNull();
  });

  it('refuses two posts of one creator on one day, and moves nothing', () => {
    proves('dates.same-day');
    const twice = aPlan(campaign, [first, { ...first, id: 'second', scheduled_date: '2026-12-08' }]);
    expect(moveDates(facts({ plan: twice }), { start: '2026-12-01', end: '2026-12-01' }).refusal?.reason).toBe(
      'same_day',
    );
  });

  it('can be reversed when no post was pulled in (property 7)', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.array(fc.nat(19), { minLength: 1, maxLength: 8 }), (days, offsets) => {
        const some = aPlan(
          campaign,
          offsets.map((offset) => aLine(aUnit(), { scheduled_date: addDays('2026-12-01', offset) })),
        );
        const there = moveDates(facts({ plan: some }), {
          start: addDays('2026-12-01', days),
          end: addDays('2026-12-20', days),
        });
        if (there.refusal !== null) throw new Error(there.refusal.reason);
        const back = moveDates(facts({ plan: there.plan, campaign: there.campaign }), {
          start: '2026-12-01',
          end: '2026-12-20',
        });
        if (back.refusal !== null) throw new Error(back.refusal.reason);
        expect(back.plan.lines.map((line) => line.scheduled_date)).toEqual(
          some.lines.map((line) => line.scheduled_date),
        );
        expect(back.plan.terms_fingerprint).toBe(some.terms_fingerprint);
      }),
      { numRuns: 50 },
    );
  });
});

describe('an edit that is refused (property 6)', () => {
  const drawn = fc.record({
    edit: fc.constantFrom('add', 'swap', 'remove', 'dates'),
    price: fc.integer({ min: 1, max: 300_000 }),
    budget: fc.option(fc.integer({ min: 0, max: 300_000 })),
    mostOfPlan: fc.integer({ min: 1, max: 300_000 }),
    buyable: fc.boolean(),
    sameCreator: fc.boolean(),
    lines: fc.constantFrom(1, 2),
    date: fc.integer({ min: -20, max: 60 }),
    days: fc.integer({ min: -3, max: 400 }),
  });

  it('changes neither plan nor campaign, and its overage is the price less the room', () => {
    const refusals = new Set<string>();
    fc.assert(
      fc.property(drawn, (of) => {
        const held = lines.slice(0, of.lines);
        const from = facts({
          campaign: { ...campaign, budget_cents: of.budget },
          plan: aPlan(campaign, held),
          mandate: aMandate({ max_plan_cents: of.mostOfPlan }),
        });
        const before = structuredClone({ plan: from.plan, campaign: from.campaign });
        const unit = aUnit({
          price_cents: of.price,
          buyable: of.buyable,
          ...(of.sameCreator ? { creator_id: one.creator_id } : {}),
        });
        const start = addDays(TODAY, of.date);
        const edits = {
          add: () => addLine(from, unit, { id: 'new', date: start }),
          swap: () => swapLine(from, first, unit, 'new'),
          remove: () => removeLine(from, first),
          dates: () => moveDates(from, { start, end: addDays(start, of.days) }),
        };
        const { refusal } = edits[of.edit]();
        expect({ plan: from.plan, campaign: from.campaign }).toEqual(before);
        if (refusal === null) return;
        refusals.add(refusal.reason);
        if (refusal.reason !== 'over_budget' || of.budget === null) return;
        const room = of.budget - totalOf(held) + (of.edit === 'swap' ? first.price_cents : 0);
        expect(refusal.details).toMatchObject({ price_cents: of.price, remaining_cents: Math.max(0, room) });
        expect(refusal.details?.['over_by_cents']).toBe(of.price - room);
      }),
      { numRuns: 1_000, seed: 6 },
    );
    expect([...refusals].sort()).toEqual([
      'already_in_plan',
      'bad_dates',
      'last_creator',
      'over_budget',
      'over_max_plan_total',
      'unprocessable',
    ]);
  });
});

describe('the gate of every edit (docs/domain/plans.md#edits, checks 2 to 4)', () => {
  it('lets only a plan awaiting approval through, of a campaign not archived, under a valid mandate', () => {
    const plan = aPlan(campaign, lines);
    expect(editGate(facts())).toBeNull();
    expect(
      editGate(facts({ plan: { ...plan, status: 'approved' }, campaign: { ...campaign, archived_at: NOW } }))?.reason,
    ).toBe('plan_signed');
    expect(editGate(facts({ campaign: { ...campaign, archived_at: NOW }, mandate: null }))?.reason).toBe('archived');
    expect(editGate(facts({ mandate: null }))?.reason).toBe('no_mandate');
    expect(editGate(facts({ mandate: aMandate({ expires_at: '2026-11-21T12:00:00.000Z' }) }))?.reason).toBe(
      'mandate_expired',
    );
  });

  it('refuses to move the dates of a plan that the team wrote, but edits its lines', () => {
    const team = facts({ plan: aPlan(campaign, lines, { written_by: 'team' }) });
    expect(editGate(team, 'dates')?.reason).toBe('plan_signed');
    expect(editGate(team, 'lines')).toBeNull();
  });

  it('does not ask for the channel when removing and moving', () => {
    expect(editGate(facts({ mandate: aMandate({ channels: ['reddit'] }) }))).toBeNull();
  });
});

describe('an edit at its bounds', () => {
  const room = { campaign: { ...campaign, budget_cents: null } };
  const add = (over: Partial<EditFacts>, date: string | undefined, unit = aUnit()) =>
    addLine(facts({ ...room, ...over }), unit, { id: 'new', date });

  it.each<[reason: string | null, what: string, over: Partial<EditFacts>, date: string]>([
    [null, 'on the first day of the window', {}, '2026-12-01'],
    [null, 'on the last day', {}, '2026-12-20'],
    ['bad_dates', 'on the day before', {}, '2026-11-30'],
    ['bad_dates', 'on the day after', {}, '2026-12-21'],
    [null, 'today', { today: '2026-12-05' }, '2026-12-05'],
    ['bad_dates', 'yesterday', { today: '2026-12-05' }, '2026-12-04'],
  ])('adds with %s %s', (reason, _what, over, date) => {
    expect(add(over, date).refusal?.reason ?? null).toBe(reason);
  });

  it('finds no day once the window is over', () => {
    expect(add({ today: '2026-12-21' }, undefined).refusal?.reason).toBe('bad_dates');
    expect(add({ today: '2026-12-20' }, undefined).refusal).toBeNull();
  });

  it('asks the mandate for the total that it makes, and for none of a swap that is not dearer', () => {
    const unit = aUnit({ price_cents: 60_000 });
    expect(addAsks(facts().plan, unit, NOW)).toMatchObject({ channels: ['x_creators'], total_cents: 160_000 });
    const asked = (cents: number) => swapLine(facts(room), second, aUnit({ price_cents: cents }), 'new').asked;
    expect([asked(60_000)?.total_cents, asked(60_001)?.total_cents]).toEqual([null, 100_001]);
    expect(add({}, '2026-12-09', unit).asked).toMatchObject({ total_cents: 160_000 });
    expect(add({ mandate: aMandate({ max_plan_cents: 159_999 }) }, '2026-12-09', unit)).toMatchObject({
      refusal: { reason: 'over_max_plan_total' },
      asked: { total_cents: 160_000 },
    });
    expect(add({ mandate: aMandate({ max_plan_cents: 160_000 }) }, '2026-12-09', unit).refusal).toBeNull();
  });

  it('says what is wrong and what to do', () => {
    const unit = aUnit();
    expect(add({}, undefined, aUnit({ buyable: false })).refusal).toEqual({
      code: 'unprocessable',
      reason: 'unprocessable',
      message: 'This format is not on sale now. Choose one that is.',
      details: { problems: [{ field: 'unit_id', message: 'must be a format that is on sale now' }] },
    });
    expect(add({}, undefined, aUnit({ buyable: false, stale: true })).refusal?.message).toBe(
      'This format is not on sale now: its price is older than 30 days. Choose one that is.',
    );
    expect(add({}, undefined, aUnit({ creator_id: one.creator_id })).refusal?.message).toBe(
      'This creator is already on the plan. To change the format, remove the line and add the new format.',
    );
    expect(add({ mandate: aMandate({ channels: ['reddit'] }) }, undefined, unit).refusal?.reason).toBe(
      'channel_not_allowed',
    );
    expect(
      addLine(facts({ campaign: { ...campaign, budget_cents: 1 } }), unit, { id: 'new', date: undefined }).refusal
        ?.message,
    ).toBe(
      "This creator would take the plan over the campaign's budget. Choose a cheaper one, or remove a creator first.",
    );
    expect(removeLine(facts({ plan: aPlan(campaign, [first]) }), first).refusal).toMatchObject({
      reason: 'last_creator',
      message: 'A plan needs at least one creator. Swap this one, or add another first.',
    });
    const dates = (start: string, end: string) => moveDates(facts(), { start, end }).refusal?.message;
    expect(dates('2026-12-02', '2026-12-01')).toBe('The end must be on or after the start.');
    expect(dates('2026-12-01', '2027-12-02')).toBe('The end must be at most one year after the start.');
    expect(dates('2026-11-20', '2026-12-01')).toMatch(/^The start .*\.$/);
    const twice = aPlan(campaign, [first, { ...first, id: 'second', scheduled_date: '2026-12-08' }]);
    expect(moveDates(facts({ plan: twice }), { start: '2026-12-01', end: '2026-12-01' }).refusal?.message).toBe(
      'Two posts of one creator would land on one day. Choose a longer window.',
    );
    expect(editGate(facts({ plan: aPlan(campaign, lines, { written_by: 'team' }) }), 'dates')?.message).toBe(
      'The team wrote this plan, so its dates cannot be moved here. Ask the team for a change.',
    );
    const inSandbox = (sandbox: boolean) => add({ sandbox }, '2029-01-01').refusal?.message;
    expect(inSandbox(true)).not.toBe(inSandbox(false));
    expect(inSandbox(false)).toMatch(/ Choose another date or move the dates\.$/);
  });

  it('moves to a window of one day, and of exactly a year', () => {
    const one_ = facts({ plan: aPlan(campaign, [first]) });
    expect(moveDates(one_, { start: '2026-12-05', end: '2026-12-05' })).toMatchObject({
      refusal: null,
      linesMoved: 1,
      plan: { version: 2, launch_window_start: '2026-12-05', launch_window_end: '2026-12-05' },
    });
    expect(moveDates(one_, { start: '2026-12-01', end: '2027-12-01' })).toMatchObject({ refusal: null, linesMoved: 0 });
  });

  it('moves a line of before the window to its start, and keeps the words of the team', () => {
    const early = { ...first, scheduled_date: '2026-11-28' };
    const team = { ...second, slot: 'Our words', written_by: 'team' as const };
    const moved = moveDates(facts({ plan: aPlan(campaign, [early, team]) }), {
      start: '2026-12-08',
      end: '2026-12-27',
    });
    if (moved.refusal !== null) throw new Error(moved.refusal.reason);
    expect(moved.plan.lines).toMatchObject([
      { scheduled_date: '2026-12-08' },
      { scheduled_date: '2026-12-10', slot: 'Our words' },
    ]);
    expect(moved.plan.moment_offset).toBe(0);
  });

  it('counts two posts of one creator on one day, and none of nobody', () => {
    const nobody = { ...first, creator_id: null };
    expect([
      sharesADay([first, first]),
      sharesADay([first, second]),
      sharesADay([nobody, nobody]),
      sharesADay([]),
    ]).toEqual([true, false, false, false]);
    expect(sharesADay([first, { ...first, scheduled_date: '2026-12-09' }])).toBe(false);
  });
});

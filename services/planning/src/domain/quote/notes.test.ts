import { NOTE_KINDS, type Note } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW } from '../../test/builders.js';
import { ANYONE } from '../campaign/selection.js';
import type { BuiltUnder, Campaign, Line, Plan, PlanReasons } from '../plan.js';
import { type NoteFacts, notesOf } from './notes.js';

const BUILT: BuiltUnder = { mandate_cents: null, geography: 'shown', left: 'budget' };

const reasonsFor = (lines: readonly Line[]): PlanReasons => ({
  version: 1,
  built_at: NOW,
  value: 1,
  lines: lines.map((line) => ({
    line_id: line.id,
    creator_id: line.creator_id ?? '',
    format: 'post',
    marginal_value: 1,
    expected_views: 1,
    views_low: 1,
    views_high: 1,
  })),
  left_out: [],
});

/**
 * A campaign of $5,000 and its plan as the builder made it: one post of all the money, unless a case says otherwise.
 */
const facts = (
  of: { campaign?: Partial<Campaign>; plan?: Partial<Plan>; built?: Partial<BuiltUnder>; lines?: Line[] } = {},
): NoteFacts & { plan: Plan } => {
  const campaign = aCampaign(of.campaign);
  const lines = of.lines ?? [aLine(aUnit({ price_cents: 500_000 }))];
  const plan = aPlan(campaign, lines, {
    reasons: reasonsFor(lines),
    built_under: { ...BUILT, ...of.built },
    ...of.plan,
  });
  return { campaign, plan, shared: [], now: NOW };
};

const textOf = (notes: readonly Note[], kind: Note['kind']): string | undefined =>
  notes.find((note) => note.kind === kind)?.text;

const line = (over: Partial<Line> = {}) => aLine(aUnit({ price_cents: 500_000 }), over);
const cheap = () => [aLine(aUnit({ price_cents: 100_000 }))];

describe('notes (docs/domain/plans.md#notes)', () => {
  it.each<[Note['kind'], string, NoteFacts, string]>([
    [
      'launch_day',
      'the day that was taken and its words',
      facts(),
      '2026-12-01 was taken as the launch day, from “1 December 2026”.',
    ],
    [
      'launch_day',
      'a day too early for a post',
      { ...facts(), now: new Date('2026-11-30T12:00:00Z') },
      '2026-12-01 was taken as the launch day, from “1 December 2026”. The first possible day for a post is 2026-12-02.',
    ],
    [
      'no_launch_day',
      'a moment without a date',
      facts({ campaign: { moment: 'Soon' } }),
      'No date inside the launch window was found in the moment, so 2026-12-01 counts as the launch day. Send a moment with a date such as 2026-12-01 to change it.',
    ],
    [
      'audience_not_understood',
      'an audience without segments',
      facts({ campaign: { unresolved: true } }),
      'No segment was found in the audience, so creators of every topic were considered. Resolving the audience shows how its text is read.',
    ],
    [
      'geography_not_understood',
      'a geography without a place',
      facts({ campaign: { geography: 'Narnia' }, built: { geography: 'not_understood' } }),
      'No country or region was found in “Narnia”, so creators of every country were considered.',
    ],
    [
      'geography_not_shown',
      'a country that nobody shows',
      facts({ campaign: { geography: 'Germany' }, built: { geography: 'not_shown' } }),
      'No creator in the plan shows a country in Germany.',
    ],
    [
      'mandate_below_budget',
      'a key that may sign less than the budget',
      facts({ built: { mandate_cents: 250_050 } }),
      'The plan was built for a key that could sign plans of at most $2,500.50, so it stays below the budget of $5,000.',
    ],
    [
      'launch_day',
      'the day that moved with the dates, and the day that the moment still names',
      facts({ plan: { moment_offset: 1 } }),
      '2026-12-02 counts as the launch day: it moved with the dates, and the moment still says “1 December 2026”. Send a moment with another date to change it.',
    ],
    [
      'over_own_limits',
      'a post dearer than the brand’s own limit, and more creators than it asked for',
      facts({
        campaign: { selection: { ...ANYONE, max_price_cents: 400_000, max_creators: 1 } },
        lines: [line(), ...cheap()],
      }),
      '1 post costs more than your own limit of $4,000 for one post; the dearest costs $5,000. The plan has 2 creators, more than your own limit of 1.',
    ],
    [
      'launch_post_missing',
      'quotes without a post to quote',
      facts({ lines: [line({ format: 'quote' }), line({ format: 'quote' }), line()] }),
      '2 creators quote your launch post, and its link is missing. Set the launch_post_url of the campaign before you sign.',
    ],
    [
      'launch_post_missing',
      'quotes of a program, which has no launch post',
      facts({ campaign: { goal: 'program' }, lines: [line({ format: 'quote' }), line()] }),
      '1 creator quotes a post that you name, and its link is missing. Set the launch_post_url of the campaign before you sign.',
    ],
    [
      'short_window',
      'posts that are due before creators have answered',
      { ...facts(), now: new Date('2026-11-30T12:00:00Z') },
      '1 post is due before 2026-12-02. Creators have 48 hours to answer, so some may answer too late.',
    ],
    [
      'short_window',
      'posts whose days have passed, which no creator can keep',
      { ...facts(), now: new Date('2027-01-30T12:00:00Z') },
      'The day of 1 post has passed. Move the dates.',
    ],
    [
      'also_in_other_plan',
      'creators of another plan at the time',
      {
        ...facts(),
        shared: ['a', 'b', 'a', 'c', 'd'].map((creator_id) => ({
          creator_id,
          campaign_id: 'c1',
          campaign: 'Acme, feature, December 2026',
        })),
      },
      '4 creators are also in another plan of this brand at the time: “Acme, feature, December 2026” (c1).',
    ],
    [
      'also_in_other_plan',
      'two campaigns of one name as two',
      {
        ...facts(),
        shared: ['c1', 'c2'].map((campaign_id) => ({ creator_id: 'a', campaign_id, campaign: 'Orbit' })),
      },
      '1 creator is also in other plans of this brand at the time: “Orbit” (c1), “Orbit” (c2).',
    ],
    [
      'also_in_other_plan',
      'only the first of many campaigns',
      {
        ...facts(),
        shared: ['c1', 'c2', 'c3', 'c4'].map((campaign_id) => ({ creator_id: 'a', campaign_id, campaign: 'Orbit' })),
      },
      '1 creator is also in other plans of this brand at the time: “Orbit” (c1), “Orbit” (c2), “Orbit” (c3) and 1 more.',
    ],
    [
      'money_left',
      'money that buys too little',
      facts({ lines: cheap(), built: { left: 'spend_rule' } }),
      '$4,000 is left: no other creator who reaches this audience adds at least a quarter of what the plan brings for each dollar.',
    ],
    [
      'money_left',
      'money when everybody is on the plan',
      facts({ lines: cheap(), built: { left: null } }),
      '$4,000 is left: every creator who reaches this audience is on the plan.',
    ],
    [
      'money_left',
      'money when everybody is on the plan whom the brand’s own choices leave',
      facts({
        campaign: { selection: { ...ANYONE, exclude_creator_ids: ['6d1f9c1e-3c57-4a6b-8f0e-9a1f0b2c3d4e'] } },
        lines: cheap(),
        built: { left: null },
      }),
      '$4,000 is left: every creator who reaches this audience and fits your own choices is on the plan.',
    ],
    [
      'money_left',
      'money within the limit of the key',
      facts({ lines: cheap(), built: { left: 'creators', mandate_cents: 200_000 } }),
      '$1,000 is left: the plan has as many creators as max_creators allows.',
    ],
    [
      'no_plan',
      'why there is no plan',
      { ...facts({ campaign: { no_plan: 'budget_too_small', unresolved: false } }), plan: null },
      "No creator's format fits the budget and the limit for one plan of the key that started it. Start a campaign with a larger budget.",
    ],
  ])('%s tells %s', (kind, _name, of, text) => {
    expect(textOf(notesOf(of), kind)).toBe(text);
  });

  it('are at most eight, most important first, and none once the plan is signed', () => {
    const of = facts({
      campaign: { unresolved: true, geography: 'Narnia' },
      built: { mandate_cents: 400_000, geography: 'not_understood' },
      lines: [aLine(aUnit({ price_cents: 100_000 }), { format: 'quote' })],
    });
    const all = notesOf({
      ...of,
      shared: [{ creator_id: 'a', campaign_id: 'c1', campaign: 'b' }],
      now: new Date('2026-11-30T12:00:00Z'),
    }).map(({ kind }) => kind);
    expect(all).toEqual([
      'mandate_below_budget',
      'audience_not_understood',
      'geography_not_understood',
      'launch_post_missing',
      'short_window',
      'launch_day',
      'also_in_other_plan',
      'money_left',
    ]);
    expect([...all].sort((one, other) => NOTE_KINDS.indexOf(one) - NOTE_KINDS.indexOf(other))).toEqual(all);
    expect(notesOf({ ...of, plan: { ...of.plan, status: 'approved' } })).toEqual([]);
  });
});

describe('a note is made from its bound on, and names what to change', () => {
  const kindsOf = (of: NoteFacts): string[] => notesOf(of).map(({ kind }) => kind);
  const noteOf = (of: NoteFacts, kind: Note['kind']): Note | undefined =>
    notesOf(of).find((note) => note.kind === kind);
  const unplanned = (campaign: Partial<Campaign>): NoteFacts => ({
    campaign: aCampaign(campaign),
    plan: null,
    shared: [],
    now: NOW,
  });
  const own = (over: Partial<typeof ANYONE>) => ({ campaign: { selection: { ...ANYONE, ...over } } });
  const on = (...days: string[]) => ({ lines: days.map((scheduled_date) => line({ scheduled_date })) });

  it('has none of an unmarked campaign, in full', () => {
    expect(kindsOf(unplanned({}))).toEqual([]);
    expect(kindsOf(facts())).toEqual(['launch_day']);
    expect(kindsOf(facts({ plan: { status: 'approved', approved_at: NOW } }))).toEqual([]);
  });

  it.each<[fields: string[], no_plan: NonNullable<Campaign['no_plan']>]>([
    [['audience'], 'no_candidates'],
    [['budget_usd'], 'budget_too_small'],
    [['category', 'product', 'moment'], 'category_banned'],
    [['category', 'product', 'moment'], 'category_review'],
    [[], 'building'],
  ])('names %j of a campaign without a plan: %s', (fields, no_plan) => {
    expect(noteOf(unplanned({ no_plan }), 'no_plan')?.fields).toEqual(fields);
  });

  it.each<[noted: boolean, what: string, campaign: Partial<Campaign>]>([
    [true, 'an audience that nobody understood', {}],
    [false, 'one that is understood', { unresolved: false }],
    [false, 'none', { audience: null }],
    [false, 'a draft', { goal: null }],
    [false, 'a campaign whose plan is being built', { no_plan: 'building' }],
    [false, 'a banned category', { no_plan: 'category_banned' }],
    [false, 'a category under review', { no_plan: 'category_review' }],
    [true, 'one for which nobody was found', { no_plan: 'no_candidates' }],
  ])('has a note: %s, on %s', (noted, _what, over) => {
    const note = noteOf(unplanned({ unresolved: true, ...over }), 'audience_not_understood');
    expect(note?.fields ?? null).toEqual(noted ? ['audience'] : null);
  });

  it.each<[fields: string[] | null, kind: Note['kind'], what: string, of: NoteFacts]>([
    [
      [],
      'change_answered',
      'an answer of the team',
      facts({ campaign: { change_answer: { text: 'Done', at: NOW } as never } }),
    ],
    [null, 'change_answered', 'no answer', facts({ campaign: { change_answer: null as never } })],
    [['geography'], 'geography_not_understood', 'no country', facts({ built: { geography: 'not_understood' } })],
    [['geography'], 'geography_not_shown', 'nobody there', facts({ built: { geography: 'not_shown' } })],
    [null, 'geography_not_shown', 'somebody there', facts()],
    [['budget_usd'], 'mandate_below_budget', 'a cent less', facts({ built: { mandate_cents: 499_999 } })],
    [null, 'mandate_below_budget', 'as much', facts({ built: { mandate_cents: 500_000 } })],
    [
      null,
      'mandate_below_budget',
      'no budget',
      facts({ built: { mandate_cents: 1 }, campaign: { budget_cents: null } }),
    ],
    [['max_price_usd'], 'over_own_limits', 'a cent dearer', facts(own({ max_price_cents: 499_999 }))],
    [null, 'over_own_limits', 'as dear', facts(own({ max_price_cents: 500_000 }))],
    [
      ['max_creators'],
      'over_own_limits',
      'a creator more',
      facts({ ...own({ max_creators: 1 }), lines: [line(), line()] }),
    ],
    [null, 'over_own_limits', 'as many creators', facts({ ...own({ max_creators: 2 }), lines: [line(), line()] })],
    [
      ['max_price_usd', 'max_creators'],
      'over_own_limits',
      'both',
      facts({ ...own({ max_price_cents: 1, max_creators: 1 }), lines: [line(), line()] }),
    ],
    [['launch_post_url'], 'launch_post_missing', 'a quote', facts({ lines: [line({ format: 'quote' })] })],
    [null, 'launch_post_missing', 'no quote', facts()],
    [
      ['window_start', 'window_end'],
      'short_window',
      'a day that has passed',
      { ...facts(on('2026-12-01')), now: new Date('2026-12-02T00:00:00Z') },
    ],
    [['moment'], 'launch_day', 'a day', facts()],
    [['moment'], 'no_launch_day', 'no day', facts({ campaign: { moment: 'Soon' } })],
    [null, 'launch_day', 'a program', facts({ campaign: { goal: 'program' } })],
    [null, 'launch_day', 'no goal', facts({ campaign: { goal: null } })],
    [null, 'no_launch_day', 'no moment', facts({ campaign: { moment: null } })],
    [
      ['lines'],
      'also_in_other_plan',
      'a creator elsewhere',
      { ...facts(), shared: [{ creator_id: 'a', campaign_id: 'c', campaign: 'Other' }] },
    ],
    [['budget_usd'], 'money_left', 'much left', facts({ lines: cheap() })],
    [
      null,
      'money_left',
      'much left of a plan that was edited',
      facts({ lines: cheap(), plan: { reasons: reasonsFor([]) } }),
    ],
    [
      null,
      'money_left',
      'much left of a plan with another line',
      facts({ lines: cheap(), plan: { reasons: reasonsFor([line()]) } }),
    ],
    [null, 'money_left', 'under a twentieth left', facts({ lines: [aLine(aUnit({ price_cents: 476_000 }))] })],
    [null, 'no_launch_day', 'a program', facts({ campaign: { goal: 'program', moment: 'Soon' } })],
    [
      null,
      'geography_not_shown',
      'an edited plan',
      facts({ built: { geography: 'not_shown' }, plan: { lines: [line()] } }),
    ],
    [
      null,
      'launch_post_missing',
      'a link',
      facts({ campaign: { launch_post_url: 'https://x.com/acme/status/1' }, lines: [line({ format: 'quote' })] }),
    ],
    [null, 'money_left', 'no budget', facts({ lines: cheap(), campaign: { budget_cents: null } })],
  ])('names %j in %s: %s', (fields, kind, _what, of) => {
    expect(noteOf(of, kind)?.fields ?? null).toEqual(fields);
  });

  it('says how many it is about', () => {
    const text = (of: NoteFacts, kind: Note['kind']) => noteOf(of, kind)?.text;
    expect(text(facts({ campaign: { change_answer: { text: 'Done' } as never } }), 'change_answered')).toBe(
      'The team answered your change request: Done',
    );
    const two = [line(), line({ price_cents: 600_000 })];
    expect(text(facts({ ...own({ max_price_cents: 400_000 }), lines: two }), 'over_own_limits')).toBe(
      '2 posts cost more than your own limit of $4,000 for one post; the dearest costs $6,000.',
    );
    expect(text(facts({ lines: [line({ format: 'quote' })] }), 'launch_post_missing')).toMatch(
      /^1 creator quotes your/,
    );
    const late = { ...facts(on('2026-12-01', '2026-12-02', '2026-12-20')), now: new Date('2026-12-03T00:00:00Z') };
    expect(text(late, 'short_window')).toBe('The days of 2 posts have passed. Move the dates.');
    const passed = { ...facts(on('2026-12-01', '2026-12-02')), now: new Date('2026-12-02T00:00:00Z') };
    expect(text(passed, 'short_window')).toMatch(
      /^The day of 1 post has passed\. Move the dates\. 1 post is due before /,
    );
    const soon = { ...facts(on('2026-12-02', '2026-12-02')), now: new Date('2026-12-02T00:00:00Z') };
    expect(text(soon, 'short_window')).toMatch(/^2 posts are due before 2026-12-0\d\. Creators have 48 hours/);
  });

  it.each<[kept: boolean, length: number]>([
    [true, 60],
    [false, 61],
  ])('keeps a geography whole: %s, of %i characters', (kept, length) => {
    const geography = '🌍'.repeat(length);
    const text = noteOf(
      facts({ built: { geography: 'not_understood' }, campaign: { geography } }),
      'geography_not_understood',
    )?.text;
    expect(text).toContain(kept ? `“${geography}”` : `“${'🌍'.repeat(60)}…”`);
  });
});

describe('money that is left', () => {
  it.each([
    ['budget', 'it pays for no other creator who reaches this audience.'],
    ['line_price', 'the other creators cost more than one post may take of the budget.'],
    ['lines', 'the plan has as many posts as a budget of this size allows.'],
    ['creators', 'the plan has as many creators as max_creators allows.'],
    ['reach_band', 'the plan has as many posts as it may have of the reach band of the other creators.'],
  ] as const)('because of %s says so', (left, why) => {
    expect(textOf(notesOf(facts({ lines: cheap(), built: { left } })), 'money_left')).toBe(`$4,000 is left: ${why}`);
  });
});

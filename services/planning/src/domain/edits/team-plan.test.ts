import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import type { Line, Plan } from '../plan.js';
import { type TeamLine, type TeamPlanFacts, teamPlan, teamPlanGate } from './team-plan.js';

const unit = aUnit({ unit_id: 'unit', price_cents: 40_000 });
const other = aUnit({ unit_id: 'other', price_cents: 50_000 });
const campaign = aCampaign();
const former = aLine(unit, { id: 'former', scheduled_date: '2026-12-02', price_cents: 39_000, written_by: 'key' });
const facts = (over: Partial<TeamPlanFacts> = {}): TeamPlanFacts => ({
  campaign,
  plan: null,
  units: new Map([unit, other].map((one) => [one.unit_id, one])),
  now: NOW,
  today: TODAY,
  ...over,
});
const existing = aPlan(campaign, [former], { version: 3, gap: null });
const NEW: TeamLine = { unit_id: 'unit', scheduled_date: '2026-12-01' };

/** docs/domain/plans.md#plans-written-by-the-team. */
describe('the team may write a plan', () => {
  it.each<[refusal: string | null, what: string, over: Partial<TeamPlanFacts>, base: number]>([
    [null, 'of a campaign without one', {}, 0],
    [null, 'in place of the version that it read', { plan: existing }, 3],
    ['bad_state', 'not of another version', { plan: existing }, 2],
    ['bad_state', 'not of a version where there is none', {}, 1],
    ['plan_signed', 'not once it is signed', { plan: { ...existing, status: 'approved', approved_at: NOW } }, 3],
    ['archived', 'not of an archived campaign', { campaign: { ...campaign, archived_at: NOW } }, 0],
    ['bad_state', 'not of a banned category', { campaign: { ...campaign, no_plan: 'category_banned' } }, 0],
    ['bad_state', 'not of a category under review', { campaign: { ...campaign, no_plan: 'category_review' } }, 0],
    [null, 'of a campaign that nobody could plan', { campaign: { ...campaign, no_plan: 'no_candidates' } }, 0],
    ['bad_state', 'not of a draft', { campaign: { ...campaign, goal: null } }, 0],
    [null, 'of a draft that was sent', { campaign: { ...campaign, goal: null, sent_to_team_at: NOW } }, 0],
    [null, 'of a draft that has one', { campaign: { ...campaign, goal: null }, plan: existing }, 3],
  ])('%s: %s', (reason, _what, over, base) => {
    expect(teamPlanGate(facts(over), base)?.reason ?? null).toBe(reason);
  });

  it('says why not', () => {
    const said = (over: Partial<TeamPlanFacts>, base = 0) => teamPlanGate(facts(over), base);
    expect(said({ plan: existing }, 2)).toMatchObject({
      message: 'The plan is at version 3, not 2. Read it again.',
      details: { version: 3 },
    });
    expect(said({ campaign: { ...campaign, no_plan: 'category_banned' } })?.message).toBe(
      'The category of this campaign is under review or banned. Decide on it first.',
    );
    expect(said({ campaign: { ...campaign, goal: null } })?.message).toBe(
      'This campaign is a draft. Wait until the brand sends its brief.',
    );
  });
});

describe('a plan of the team', () => {
  const written = (lines: TeamLine[], over: Partial<TeamPlanFacts> = {}): Plan => {
    const made = teamPlan(facts(over), lines);
    if (made.refusal !== null) throw new Error(made.refusal.message);
    return made.plan;
  };
  const problems = (lines: TeamLine[], over: Partial<TeamPlanFacts> = {}): unknown =>
    teamPlan(facts({ plan: existing, ...over }), lines).refusal?.details['problems'] ?? [];

  it('is version 1 of a campaign without one', () => {
    const plan = written([NEW, { ...NEW, unit_id: 'other', slot: 'Opening', reason: 'The team’s choice' }]);
    expect(plan).toMatchObject({ version: 1, written_by: 'team', gap: null, status: 'awaiting_approval' });
    expect(plan.lines).toMatchObject([
      {
        unit_id: 'unit',
        scheduled_date: '2026-12-01',
        price_cents: 40_000,
        written_by: 'team',
        slot: 'Launch day, post',
      },
      { unit_id: 'other', slot: 'Opening', reason: 'The team’s choice', price_cents: 50_000 },
    ]);
    expect(plan.lines[0]?.reason).toContain('Strong match');
    expect(new Set(plan.lines.map(({ id }) => id)).size).toBe(2);
  });

  it('is the next version of one, without what the builder said of it', () => {
    const built = { ...existing, gap: null, reasons: [], built_under: {} } as unknown as Plan;
    const plan = written([{ line_id: 'former', scheduled_date: '2026-12-02' }, NEW], { plan: built });
    expect(plan).toMatchObject({ _id: existing._id, version: 4, written_by: 'team' });
    expect(plan).not.toHaveProperty('reasons');
    expect(plan).not.toHaveProperty('built_under');
    expect(plan.terms_fingerprint).not.toBe(existing.terms_fingerprint);
  });

  it.each<[what: string, over: Partial<TeamLine>, line: Partial<Line>]>([
    ['as it was, at the current price', {}, { price_cents: 40_000, slot: former.slot, written_by: 'key' }],
    ['on another day', { scheduled_date: '2026-12-09' }, { scheduled_date: '2026-12-09', written_by: 'key' }],
    ['with the team’s slot', { slot: 'Opening' }, { slot: 'Opening', written_by: 'team' }],
    ['with the team’s reason', { reason: 'Best' }, { reason: 'Best', slot: former.slot, written_by: 'team' }],
  ])('keeps a line %s', (_what, over, line) => {
    const plan = written([{ line_id: 'former', scheduled_date: '2026-12-02', ...over }], { plan: existing });
    expect(plan.lines).toMatchObject([{ id: 'former', ...line }]);
  });

  it.each<[fields: string[], what: string, lines: TeamLine[], over?: Partial<TeamPlanFacts>]>([
    [[], 'new lines and one that stays', [{ line_id: 'former', scheduled_date: '2026-12-02' }, NEW]],
    [['lines[0].line_id'], 'neither a line nor a unit', [{ scheduled_date: '2026-12-01' }]],
    [['lines[0].line_id'], 'both a line and a unit', [{ ...NEW, line_id: 'former' }]],
    [['lines[1].line_id'], 'a line of another plan', [NEW, { line_id: 'unknown', scheduled_date: '2026-12-02' }]],
    [
      ['lines[0].line_id'],
      'a line where there is no plan',
      [{ line_id: 'former', scheduled_date: '2026-12-02' }],
      { plan: null },
    ],
    [
      ['lines[1].line_id'],
      'a line twice',
      [
        { line_id: 'former', scheduled_date: '2026-12-02' },
        { line_id: 'former', scheduled_date: '2026-12-03' },
      ],
    ],
    [['lines[0].unit_id'], 'an unknown unit', [{ ...NEW, unit_id: 'unknown' }]],
    [
      ['lines[0].unit_id'],
      'a unit that is not on sale',
      [NEW],
      { units: new Map([['unit', { ...unit, buyable: false }]]) },
    ],
    [
      ['lines[0].unit_id'],
      'a unit that is not listed',
      [NEW],
      { units: new Map([['unit', { ...unit, listed: false }]]) },
    ],
    [[], 'the first and the last day of the window', [NEW, { unit_id: 'other', scheduled_date: '2026-12-20' }]],
    [['lines[0].scheduled_date'], 'a day before the window', [{ ...NEW, scheduled_date: '2026-11-30' }]],
    [['lines[0].scheduled_date'], 'a day after the window', [{ ...NEW, scheduled_date: '2026-12-21' }]],
    [['lines[0].scheduled_date'], 'a day that has passed', [NEW], { today: '2026-12-02' }],
    [[], 'today', [NEW], { today: '2026-12-01' }],
    [
      [],
      'a line on a day that has passed, where it stays',
      [{ line_id: 'former', scheduled_date: '2026-12-02' }],
      { today: '2026-12-05' },
    ],
  ])('has its problems at %j: %s', (fields, _what, lines, over = {}) => {
    expect((problems(lines, over) as { field: string }[]).map(({ field }) => field)).toEqual(fields);
  });

  it('says what is wrong with each line', () => {
    expect(teamPlan(facts({ plan: existing }), [{ scheduled_date: '2026-11-30' }]).refusal).toEqual({
      code: 'unprocessable',
      reason: 'unprocessable',
      message: 'The plan cannot be written like this. See details.problems.',
      details: {
        problems: [
          { field: 'lines[0].line_id', message: 'send either line_id or unit_id' },
          {
            field: 'lines[0].scheduled_date',
            message: `must be today or later and within 2026-12-01 to 2026-12-20; today is ${TODAY}`,
          },
        ],
      },
    });
    const messages = (lines: TeamLine[]) => (problems(lines) as { message: string }[]).map(({ message }) => message);
    expect(messages([{ line_id: 'x', scheduled_date: '2026-12-02' }])).toEqual(['must be a line of this plan']);
    expect(messages([{ ...NEW, unit_id: 'x' }])).toEqual(['must be a format that is on sale now']);
    const twice = { line_id: 'former', scheduled_date: '2026-12-02' };
    expect(messages([twice, { ...twice, scheduled_date: '2026-12-03' }])).toEqual(['is listed twice']);
  });

  it('has no two posts of one creator on one day', () => {
    expect(teamPlan(facts({ plan: existing }), [NEW, NEW]).refusal).toMatchObject({
      reason: 'same_day',
      message: 'Two posts of one creator are on one day. Choose another day.',
    });
  });
});

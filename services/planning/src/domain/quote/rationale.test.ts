import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW } from '../../test/builders.js';
import type { PlanReasons } from '../plan.js';
import { gapOf, noteOf, shownLeftOut, whyOf } from './rationale.js';

const leftOut = (unit: { creator_id: string; unit_id: string }): PlanReasons['left_out'][number] => ({
  creator_id: unit.creator_id,
  unit_id: unit.unit_id,
  format: 'post',
  value: 1,
  reason: 'value',
  limit: 'budget',
});

const reasons = (over: Partial<PlanReasons> = {}): PlanReasons => ({
  version: 1,
  built_at: NOW,
  value: 1,
  lines: [],
  left_out: [],
  ...over,
});

describe('the reasons of a plan, explained later', () => {
  it.each([
    ['no gap', 0, 0, 'No plan under the same budget and limits brings more, to within 0.1%.'],
    [
      'a gap that rounds to none',
      0.001,
      0.001,
      'No plan under the same budget and limits brings more, to within 0.1%.',
    ],
    ['a gap, rounded up', 0.03201, 0.0321, 'The plan brings at least 96.8% of what'],
    ['a gap of nearly all', 0.99999, 1, 'The plan brings at least 0.0% of what'],
  ])('%s', (_name, gap, share, words) => {
    expect(gapOf(gap).share).toBe(share);
    expect(gapOf(gap).words).toContain(words);
  });

  it('says which version it is about, and how much of it is left', () => {
    const of = reasons({ lines: [{}, {}, {}] as never });
    expect(noteOf({ version: 9 }, undefined, 0, 2)).toContain('did not choose this plan');
    expect(noteOf({ version: 2 }, of, 3, 0)).toBe(
      'These reasons are for version 1, the plan as it was built; its lines are unchanged.',
    );
    expect(noteOf({ version: 4 }, of, 2, 1)).toContain('Version 4 keeps 2 of its 3 lines and has 1 more');
  });

  it('has a sentence for every reason, and none with an amount of money', () => {
    const sentences = [
      whyOf({ reason: 'limit', limit: 'line_price' }),
      whyOf({ reason: 'price', limit: 'spend_rule' }),
      whyOf({ reason: 'price', limit: 'budget' }),
      whyOf({ reason: 'value', limit: 'budget' }),
      whyOf({ reason: 'value', limit: 'lines' }),
      whyOf({ reason: 'limit', limit: 'lines' }),
      whyOf({ reason: 'value', limit: 'reach_band' }),
      whyOf({ reason: 'limit', limit: 'reach_band' }),
    ];
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const why of sentences) expect(why).toMatch(/^[A-Z][^$0-9]+\.$/);
  });

  it('shows three, without creators who left the network or joined the plan since', () => {
    const [gone, added, ...rest] = Array.from({ length: 6 }, () => aUnit());
    const some = [gone, added, ...rest].flatMap((unit) => unit ?? []);
    const plan = aPlan(aCampaign(), added === undefined ? [] : [aLine(added)]);
    const units = new Map(some.map((unit) => [unit.unit_id, { ...unit, listed: unit !== gone }]));
    const shown = shownLeftOut(reasons({ left_out: some.map(leftOut) }), plan, units);
    expect(shown.map(({ unit_id }) => unit_id)).toEqual(rest.slice(0, 3).map(({ unit_id }) => unit_id));
  });
});

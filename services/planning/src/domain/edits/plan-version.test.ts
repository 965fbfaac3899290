import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW } from '../../test/builders.js';
import { lineChanges, planVersion } from './plan-version.js';

const BY = { actor: 'key:one', action: 'plan.add_creator', at: NOW } as const;
const [A, B, C] = [aLine(aUnit()), aLine(aUnit()), aLine(aUnit())] as const;
const summaryOf = (changes: ReturnType<typeof lineChanges>) =>
  changes.map(({ change, line_id, before, after }) => [change, line_id, before?.id ?? null, after?.id ?? null]);

describe('what a version of a plan changed', () => {
  it('is every line of the first version', () => {
    const plan = aPlan(aCampaign(), [A, B]);
    const version = planVersion(null, plan, BY);
    expect(version).toMatchObject({
      ...BY,
      version: 1,
      total_cents: 90_000,
      terms_fingerprint: plan.terms_fingerprint,
    });
    expect(summaryOf(version.changes)).toEqual([
      ['added', A.id, null, A.id],
      ['added', B.id, null, B.id],
    ]);
  });

  it('is nothing when the lines are the same', () => {
    expect(lineChanges([A, B], [A, B])).toEqual([]);
  });

  it('names lines added and removed', () => {
    expect(summaryOf(lineChanges([A, B], [A, B, C]))).toEqual([['added', C.id, null, C.id]]);
    expect(summaryOf(lineChanges([A, B], [B]))).toEqual([['removed', A.id, A.id, null]]);
  });

  it('calls a line swapped that takes the place of another', () => {
    expect(summaryOf(lineChanges([A, B], [C, B]))).toEqual([['swapped', C.id, A.id, C.id]]);
  });

  it('names a new date and a new price of one line separately', () => {
    const changed = { ...A, scheduled_date: '2026-12-09', price_cents: 47_000 };
    expect(lineChanges([A, B], [changed, B])).toMatchObject([
      {
        change: 'moved',
        line_id: A.id,
        before: { scheduled_date: A.scheduled_date },
        after: { scheduled_date: '2026-12-09' },
      },
      { change: 'repriced', line_id: A.id, before: { price_cents: 45_000 }, after: { price_cents: 47_000 } },
    ]);
  });

  it('keeps no name, picture or text about a creator', () => {
    const [change] = lineChanges([], [A]);
    expect(change?.after).toEqual({
      id: A.id,
      creator_id: A.creator_id,
      unit_id: A.unit_id,
      channel: A.channel,
      format: A.format,
      deliverable: A.deliverable,
      scheduled_date: A.scheduled_date,
      price_cents: A.price_cents,
    });
  });
});

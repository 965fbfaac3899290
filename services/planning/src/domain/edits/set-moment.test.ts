import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import type { Campaign } from '../plan.js';
import { datesFor } from '../schedule/schedule.js';
import { withMoment } from './set-moment.js';

const campaign = aCampaign({ moment: 'Goes live on 8 December 2026' });
const lines = ['2026-12-03', '2026-12-01', '2026-12-02'].map((scheduled_date, at) =>
  aLine(aUnit(), { id: `line-${at}`, scheduled_date }),
);
const moved = (over: Partial<Campaign> = {}) => {
  const of = { ...campaign, ...over };
  return withMoment({ plan: aPlan(of, lines), campaign: of }, { now: NOW, today: TODAY });
};

/** docs/domain/plans.md#dates. */
describe('a plan for another moment', () => {
  it('deals its lines, in the order of their dates, to the days of a new plan', () => {
    const window = { start: '2026-12-01', end: '2026-12-20', momentOffset: 7 };
    const [first, second, third] = datesFor('launch', 3, window, TODAY);
    const made = moved();
    expect(made?.plan.lines.map(({ id, scheduled_date }) => [id, scheduled_date])).toEqual([
      ['line-0', third],
      ['line-1', first],
      ['line-2', second],
    ]);
    expect(made?.plan).toMatchObject({ version: 2, moment_offset: 7 });
    expect(made?.linesMoved).toBe(3);
    expect(made?.plan.lines.find(({ scheduled_date }) => scheduled_date === '2026-12-08')?.slot).toBe(
      'Launch day, post',
    );
  });

  it('is none where the moment stays', () => {
    expect(moved({ moment: 'Goes live on 1 December 2026' })).toBeNull();
  });

  it('of a program, or without a goal, keeps its dates', () => {
    for (const goal of ['program', null] as const) {
      const made = moved({ goal });
      if (made === null) continue;
      expect(made.linesMoved).toBe(0);
      expect(made.plan.lines.map(({ scheduled_date }) => scheduled_date)).toEqual(
        lines.map((line) => line.scheduled_date),
      );
    }
  });
});

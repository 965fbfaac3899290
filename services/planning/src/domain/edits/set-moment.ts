import { slotOf } from '@cds/service/slot';
import { withFingerprint } from '../approval/fingerprint.js';
import { momentOffset } from '../lines.js';
import type { Campaign, Line, Plan, PlanWithCampaign } from '../plan.js';
import { datesFor } from '../schedule/schedule.js';

/** Null where M stays; a program's dates do not depend on the moment (docs/domain/plans.md#dates). */
export const withMoment = (
  { plan, campaign }: PlanWithCampaign,
  of: { now: Date; today: string },
): { plan: Plan; linesMoved: number } | null => {
  const window = { window_start: plan.launch_window_start, window_end: plan.launch_window_end };
  const offset = momentOffset({ goal: campaign.goal, moment: campaign.moment, ...window }, of.now);
  if (offset === plan.moment_offset) return null;

  const dates = newDates(plan, campaign, offset, of.today);
  const lines = plan.lines.map((line): Line => {
    const date = dates.get(line.id) ?? line.scheduled_date;
    const slot = slotOf({
      date,
      windowStart: plan.launch_window_start,
      momentOffset: offset,
      goal: campaign.goal,
      format: line.format,
    });
    return { ...line, scheduled_date: date, slot };
  });
  return {
    plan: withFingerprint({ ...plan, version: plan.version + 1, moment_offset: offset, lines }),
    linesMoved: lines.filter((line, place) => line.scheduled_date !== plan.lines[place]?.scheduled_date).length,
  };
};

const newDates = (plan: Plan, { goal }: Campaign, momentOffset: number, today: string): Map<string, string> => {
  if (goal === null || goal === 'program') return new Map();
  const window = { start: plan.launch_window_start, end: plan.launch_window_end, momentOffset };
  const dates = datesFor(goal, plan.lines.length, window, today);
  const inOrder = [...plan.lines].sort((one, other) => (one.scheduled_date < other.scheduled_date ? -1 : 1));
  return new Map(inOrder.flatMap(({ id }, place) => (dates[place] === undefined ? [] : [[id, dates[place]]])));
};

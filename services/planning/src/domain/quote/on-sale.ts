import type { Line, UnitMap } from '../plan.js';

/**
 * Buyable and, before signing, dated today or later; without a unit only the date counts
 * (docs/domain/plans.md#blocked-lines). A unit that catalog no longer knows is not buyable.
 */
export const isOnSale = (
  line: Pick<Line, 'unit_id' | 'scheduled_date'>,
  units: UnitMap,
  { signed, today }: { signed: boolean; today: string },
): boolean => {
  if (!signed && line.scheduled_date < today) return false;
  return line.unit_id === null || units.get(line.unit_id)?.buyable === true;
};

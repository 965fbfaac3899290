import type { Line, UnitMap } from '../plan.js';

/**
 * Without a unit only the date counts; a unit unknown to catalog is not buyable (docs/domain/plans.md#blocked-lines).
 */
export const isOnSale = (
  line: Pick<Line, 'unit_id' | 'scheduled_date'>,
  units: UnitMap,
  { signed, today }: { signed: boolean; today: string },
): boolean => {
  if (!signed && line.scheduled_date < today) return false;
  return line.unit_id === null || units.get(line.unit_id)?.buyable === true;
};

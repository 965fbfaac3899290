import { LostRace } from '@cds/service';
import { EVIDENCE_MS } from '../domain/constants.js';

/**
 * Raises LostRace when the prices are too old to commit by, so that they are read again
 * (docs/reliability.md#plan-edits, docs/reliability.md#deadlines). `pricedAt` is when they were asked for, by
 * `performance.now`.
 */
export const mustBeFresh = (pricedAt: number): void => {
  if (performance.now() - pricedAt > EVIDENCE_MS) throw new LostRace('prices');
};

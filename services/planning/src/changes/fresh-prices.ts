import { LostRace } from '@cds/service';
import { EVIDENCE_MS } from '../domain/constants.js';

/**
 * Raises LostRace when prices are too old to commit by, so that they are read again (docs/reliability.md#plan-edits,
 * docs/reliability.md#deadlines). `pricedAt` is by `performance.now`.
 */
export const mustBeFresh = (pricedAt: number): void => {
  if (performance.now() - pricedAt > EVIDENCE_MS) throw new LostRace('prices');
};

import type { EventPayload } from '@cds/contracts';
import type { Unit } from '../domain/creator/creator.js';

export const pricesChanged = (
  creatorId: string,
  unitIds: readonly string[],
  at: Date,
): { name: 'price.changed'; payload: EventPayload<'price.changed'> }[] =>
  unitIds.length === 0
    ? []
    : [
        {
          name: 'price.changed',
          payload: { aggregate: creatorId, version: at.getTime(), unit_ids: [...new Set(unitIds)] },
        },
      ];

/** The units whose current price changed. A new unit is on no plan yet. */
export const repriced = (before: readonly Unit[], after: readonly Unit[]): string[] =>
  before
    .filter((unit) => {
      const now = after.find((one) => one.unit_id === unit.unit_id);
      return now !== undefined && now.price?.price_cents !== unit.price?.price_cents;
    })
    .map((unit) => unit.unit_id);

import type { ReadHandler } from '@cds/service';
import type { CurrentPrice, Unit } from '../domain/creator.js';
import { dayOf } from '../domain/days.js';
import { presentUnitFacts } from '../present/unit-facts.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { Creators } from '../store/creators.js';

const isPriced = (unit: Unit): unit is Unit & { price: CurrentPrice } => unit.price !== null;

/**
 * Price, sale and views of units as they are charged: read from the database with majority, never from memory. Unknown
 * ids and units without a price are left out. Source: reliability 3.5, step 0; 3.12.
 */
export const unitFacts: ReadHandler<
  'unit_facts',
  { appUrl: string; creators: Creators; memory: NetworkMemory }
> = async (ctx, input, { appUrl, creators, memory }) => {
  const wanted = new Set(input.unit_ids);
  const sellers = await creators.ofUnits([...wanted]);
  const network = memory.at(ctx.networkNow);

  const day = dayOf(ctx.networkNow);
  const units = sellers.flatMap((creator) => {
    const score = input.audience.length === 0 ? null : network.scoreOf(creator, input.audience);
    return creator.units
      .filter(isPriced)
      .filter((unit) => wanted.has(unit.unit_id))
      .map((unit) => presentUnitFacts(creator, unit, { day, appUrl, score }));
  });

  return { units };
};

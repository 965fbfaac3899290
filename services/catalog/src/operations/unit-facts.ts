import type { ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { CurrentPrice, Unit } from '../domain/creator/creator.js';
import type { RowFacts } from '../present/creator.js';
import { presentUnitFacts } from '../present/unit-facts.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { Creators, Sale } from '../store/creators.js';

const isPriced = (unit: Unit): unit is Unit & { price: CurrentPrice } => unit.price !== null;

const sellersOf = async (
  sales: readonly Sale[],
  { creators, memory }: { creators: Creators; memory: NetworkMemory },
): Promise<RowFacts[]> => {
  const held = new Map(
    sales.flatMap((sale) => {
      const facts = memory.held(sale._id);
      return facts?.network_version === sale.network_version ? [[sale._id, facts] as const] : [];
    }),
  );
  const missing = sales.filter(({ _id }) => !held.has(_id)).map(({ _id }) => _id);
  for (const facts of missing.length === 0 ? [] : await creators.rowsOf(missing)) held.set(facts._id, facts);
  return sales.flatMap((sale) => {
    const facts = held.get(sale._id);
    return facts === undefined ? [] : { ...facts, ...sale };
  });
};

/** From the database with majority, never from memory (docs/reliability.md#signing). Unknown ids are left out. */
export const unitFacts: ReadHandler<
  'unit_facts',
  { appUrl: string; creators: Creators; memory: NetworkMemory }
> = async (ctx, input, { appUrl, creators, memory }) => {
  const wanted = new Set(input.unit_ids);
  const sellers = await sellersOf(await creators.salesOf([...wanted]), { creators, memory });
  const network = memory.at(ctx.networkNow);

  const day = dayOf(ctx.networkNow);
  const units = sellers.flatMap((creator) => {
    const score = input.audience.length === 0 ? null : network.scores.scoreOf(creator, input.audience);
    return creator.units
      .filter(isPriced)
      .filter((unit) => wanted.has(unit.unit_id))
      .map((unit) => presentUnitFacts(creator, unit, { day, appUrl, score, audience: input.audience }));
  });

  return { units };
};

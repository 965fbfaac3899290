import { type Consumer, consumerOf } from '@cds/service';
import type { Plans } from '../store/plans.js';
import type { PriceMoves, Repricings } from '../store/price-moves.js';

type Deps = { plans: Plans; priceMoves: PriceMoves; repricings: Repricings };

/** Plans being built or edited at older prices follow shortly after they are stored. */
export const priceChanged = ({ plans, priceMoves, repricings }: Deps, reprice: () => Promise<unknown>): Consumer =>
  consumerOf({
    event: 'price.changed',
    project: async ({ aggregate, unit_ids }, at) => {
      await priceMoves.note(aggregate, unit_ids, at);
      await repricings.ask(await plans.holding(unit_ids));
    },
    applied: async () => {
      await reprice();
    },
  });

import { type Consumer, consumerOf } from '@cds/service';
import type { Plans } from '../store/plans.js';
import type { Repricings } from '../store/repricings.js';

type Deps = { plans: Plans; repricings: Repricings };

/** Follows prices: the plans that await approval with one of these units are repriced, at once and until it is done. */
export const priceChanged = ({ plans, repricings }: Deps, reprice: () => Promise<unknown>): Consumer =>
  consumerOf({
    event: 'price.changed',
    project: async ({ unit_ids }) => repricings.ask(await plans.holding(unit_ids)),
    applied: async () => {
      await reprice();
    },
  });

import {
  type AdvanceClock,
  beginOf,
  clockSet,
  type DepsOf,
  MandateChecks,
  type OneHandlerEach,
  oneAtATime,
  RowRunner,
  type ServiceParts,
  type Shell,
  safeFetch,
} from '@cds/service';
import { lineChanged } from './events/line-changed.js';
import { orderChanged } from './events/order-changed.js';
import { postChanged } from './events/post-changed.js';
import { priceChanged } from './events/price-changed.js';
import { republished } from './events/republished.js';
import * as handlers from './handlers.js';
import { CurrentUnits } from './load/current-units.js';
import { CampaignStarts } from './store/campaign-starts.js';
import { Campaigns } from './store/campaigns.js';
import { Contexts } from './store/contexts.js';
import { LineFactsStore } from './store/line-facts.js';
import { OfferAnswers } from './store/offer-answers.js';
import { Plans } from './store/plans.js';
import { PriceMoves, Repricings } from './store/price-moves.js';
import { SignVerdicts } from './store/sign-verdicts.js';
import { UnitOverrides } from './store/unit-overrides.js';
import { buildPlans } from './sweeps/build-plans.js';
import { forgetVerdicts } from './sweeps/forget-verdicts.js';
import { followPricesOf, repricePlans } from './sweeps/reprice-plans.js';

export const planningModule = (shell: Shell<'planning'>, advanceClock: AdvanceClock) => {
  const { store, calls } = shell;
  const overrides = new UnitOverrides(store);
  const parts = {
    campaigns: new Campaigns(store),
    plans: new Plans(store),
    starts: new CampaignStarts(store),
    contexts: new Contexts(store),
    fetchPage: safeFetch,
    verdicts: new SignVerdicts(store),
    lineFacts: new LineFactsStore(store),
    offerAnswers: new OfferAnswers(store),
    overrides,
    priceMoves: new PriceMoves(store),
    repricings: new Repricings(store),
    rows: new RowRunner(store, shell.log),
    checks: new MandateChecks(store),
    units: new CurrentUnits(calls, overrides),
    catalog: calls,
    billing: calls,
    advanceClock,
    clocks: shell.clocks,
    shell,
  };
  const repricing = repricePlans(parts);
  // Every price event asks for a run; one run serves all events before it.
  const repriceNow = oneAtATime(async () => repricing.run(await shell.clocks.recent(), null));
  const followPrices = followPricesOf(parts, repriceNow);
  const building = buildPlans({ ...parts, followPrices });
  const deps = {
    ...parts,
    followPrices,
    beginBuilding: beginOf(building, shell.clocks, shell.log),
  };
  return {
    handlers: handlers satisfies OneHandlerEach<'planning', typeof handlers>,
    deps: deps satisfies DepsOf<typeof handlers>,
    consumers: [
      orderChanged(deps),
      lineChanged(deps),
      postChanged(deps),
      priceChanged(deps, repriceNow),
      clockSet(shell.clocks),
    ],
    reset: {
      collections: [
        'campaigns',
        'plans',
        'plan_versions',
        'sign_verdicts',
        'unit_overrides',
        'line_facts',
        'repricings',
        'offer_answers',
      ],
      also: (tx, ws) => parts.starts.restart(tx, ws),
    },
    republished: republished({ ...deps, outbox: shell.outbox }),
    sweeps: [
      building,
      forgetVerdicts({ verdicts: deps.verdicts, billing: calls }),
      { ...repricing, run: (time, only) => (only === null ? repriceNow() : repricing.run(time, only)) },
    ],
  } satisfies ServiceParts;
};

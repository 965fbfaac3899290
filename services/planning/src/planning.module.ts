import { type ServiceParts, type Settle, type Shell, safeFetch } from '@cds/service';
import { lineChanged } from './events/line-changed.js';
import { orderChanged } from './events/order-changed.js';
import { postChanged } from './events/post-changed.js';
import { type Deps, handlers } from './handlers.js';
import { CurrentUnits } from './load/current-units.js';
import { CampaignStarts } from './store/campaign-starts.js';
import { Campaigns } from './store/campaigns.js';
import { Contexts } from './store/contexts.js';
import { LineFactsStore } from './store/line-facts.js';
import { Plans } from './store/plans.js';
import { SignVerdicts } from './store/sign-verdicts.js';
import { UnitOverrides } from './store/unit-overrides.js';
import { buildPlans } from './sweeps/build-plans.js';

/** Wires planning: its collections, the operations over them, the facts it follows and its one sweep. */
export const planningModule = (shell: Shell<'planning'>, settle: Settle): ServiceParts => {
  const { store, calls } = shell;
  const overrides = new UnitOverrides(store);
  const deps: Deps = {
    campaigns: new Campaigns(store),
    plans: new Plans(store),
    starts: new CampaignStarts(store),
    contexts: new Contexts(store),
    fetchPage: safeFetch,
    verdicts: new SignVerdicts(store),
    lineFacts: new LineFactsStore(store),
    overrides,
    units: new CurrentUnits(calls, overrides),
    catalog: calls,
    billing: calls,
    settle,
    shell,
  };
  return {
    handlers,
    deps,
    consumers: [orderChanged(deps), lineChanged(deps), postChanged(deps)],
    sweeps: [buildPlans(deps)],
  };
};

import type { Client, Handlers, Settle } from '@cds/service';
import type { GuessWatch } from './identity/guess-watch.js';
import type { Identities } from './identity/identities.js';
import type { KnownHandles } from './identity/known-handles.js';
import type { LastFence } from './identity/last-fence.js';
import type { NetworkLoader } from './network/loader.js';
import { audienceResolve } from './operations/audience-resolve.js';
import { catalogClockSet } from './operations/catalog-clock-set.js';
import { creatorAskPrice } from './operations/creator-ask-price.js';
import { creatorGet } from './operations/creator-get.js';
import { creatorsSearch } from './operations/creators-search.js';
import { devNetwork } from './operations/dev-network.js';
import { devNetworkLoad } from './operations/dev-network-load.js';
import { identityReveal } from './operations/identity-reveal.js';
import { inventory } from './operations/inventory.js';
import { networkFacts } from './operations/network-facts.js';
import { planCandidates } from './operations/plan-candidates.js';
import { resolveAudience } from './operations/resolve-audience.js';
import { unitFacts } from './operations/unit-facts.js';
import type { NetworkMemory } from './snapshot/memory.js';
import type { Contexts } from './store/contexts.js';
import type { Creators } from './store/creators.js';
import type { Meters } from './store/meters.js';
import type { OperatorMessages } from './store/operator-messages.js';
import type { PaidOrders } from './store/paid-orders.js';
import type { PlanCreators } from './store/plan-creators.js';
import type { PriceAsks } from './store/price-asks.js';

/** Everything the operations of catalog use; each names only its own part. */
export type Deps = {
  contexts: Contexts;
  creators: Creators;
  fence: LastFence;
  guesses: GuessWatch;
  handles: KnownHandles;
  identities: Identities;
  loader: NetworkLoader;
  memory: NetworkMemory;
  messages: OperatorMessages;
  meters: Meters;
  paidOrders: PaidOrders;
  planCreators: PlanCreators;
  planning: Client<'campaign_texts'>;
  priceAsks: PriceAsks;
  settle: Settle;
  /** Whether the generated network may be loaded: everywhere but in production. */
  generatorAllowed: boolean;
};

export const handlers = {
  inventory,
  resolveAudience,
  creatorsSearch,
  creatorGet,
  creatorAskPrice,
  networkFacts,
  devNetwork,
  devNetworkLoad,
  audienceResolve,
  planCandidates,
  unitFacts,
  identityReveal,
  catalogClockSet,
} satisfies Handlers<'catalog', Deps>;

import type { AdvanceClock, BaseShell, Client, Handlers } from '@cds/service';
import type { EnumerationDetector } from './identity/enumeration-detector.js';
import type { HandleLeakFilter } from './identity/handle-leak-filter.js';
import type { Identities } from './identity/identities.js';
import type { IdentityChores } from './identity/identity-chores.js';
import type { KnownHandles } from './identity/known-handles.js';
import type { Uploads } from './identity/uploads.js';
import type { FileImports } from './imports/file-imports.js';
import type { Importer } from './imports/importer.js';
import type { NetworkLoader } from './imports/loader.js';
import type { LaunchPropagation } from './launches/launch-propagation.js';
import { audienceResolve } from './operations/audience-resolve.js';
import { avatarRead } from './operations/avatar-read.js';
import { catalogClockSet } from './operations/catalog-clock-set.js';
import { catalogUploadChunk } from './operations/catalog-upload-chunk.js';
import { creatorApplied } from './operations/creator-applied.js';
import { creatorAskPrice } from './operations/creator-ask-price.js';
import { creatorGet } from './operations/creator-get.js';
import { creatorPause, creatorResume } from './operations/creator-pause.js';
import { creatorTerms } from './operations/creator-terms.js';
import { creatorsSearch } from './operations/creators-search.js';
import { devNetwork } from './operations/dev-network.js';
import { devNetworkLoad } from './operations/dev-network-load.js';
import { guestAudience } from './operations/guest-audience.js';
import { guestInventory } from './operations/guest-inventory.js';
import { guestQuotesLeft } from './operations/guest-quotes-left.js';
import { identityReveal } from './operations/identity-reveal.js';
import { inventory } from './operations/inventory.js';
import { networkFacts } from './operations/network-facts.js';
import { opsCreatorChange } from './operations/operators/ops-creator-change.js';
import { opsCreatorErase } from './operations/operators/ops-creator-erase.js';
import { opsCreatorGet } from './operations/operators/ops-creator-get.js';
import { opsCreatorMerge } from './operations/operators/ops-creator-merge.js';
import {
  opsCreatorExclude,
  opsCreatorFlag,
  opsCreatorInclude,
  opsCreatorPause,
  opsCreatorResume,
  opsCreatorUnflag,
} from './operations/operators/ops-creator-switch.js';
import { opsCreatorVet } from './operations/operators/ops-creator-vet.js';
import { opsCreatorFacts, opsCreatorsImport } from './operations/operators/ops-creators-import.js';
import { opsCreatorsList } from './operations/operators/ops-creators-list.js';
import { opsImportGet } from './operations/operators/ops-import-get.js';
import { opsLaunchAdd } from './operations/operators/ops-launch-add.js';
import { opsLaunchChange } from './operations/operators/ops-launch-change.js';
import { opsLaunchRemove } from './operations/operators/ops-launch-remove.js';
import { opsLaunchesList } from './operations/operators/ops-launches-list.js';
import { opsPriceAskClose } from './operations/operators/ops-price-ask-close.js';
import { opsPriceAsksList } from './operations/operators/ops-price-asks-list.js';
import { opsPriceSet } from './operations/operators/ops-price-set.js';
import { opsPricesList } from './operations/operators/ops-prices-list.js';
import { planCandidates } from './operations/plan-candidates.js';
import { planQuoteGuest } from './operations/plan-quote-guest.js';
import { readLimits } from './operations/read-limits.js';
import { resolveAudience } from './operations/resolve-audience.js';
import { unitFacts } from './operations/unit-facts.js';
import type { OperatorCreatorService } from './operators/operator-creator-service.js';
import type { Audiences } from './snapshot/audiences.js';
import type { CandidatePages } from './snapshot/candidate-pages.js';
import type { NetworkMemory } from './snapshot/memory.js';
import type { Avatars } from './store/avatars.js';
import type { Creators } from './store/creators.js';
import type { GuestQuotes } from './store/guest-quotes.js';
import type { Imports } from './store/imports.js';
import type { Launches } from './store/launches.js';
import type { Meters } from './store/meters.js';
import type { OperatedCreators } from './store/operated-creators.js';
import type { OperatorMessages } from './store/operator-messages.js';
import type { PaidOrders } from './store/paid-orders.js';
import type { PlanCreators } from './store/plan-creators.js';
import type { PriceAsks } from './store/price-asks.js';

/** Everything the operations of catalog use; each declares only what it needs. */
export type Dependencies = {
  /** The application's address, where creators' pictures are served. */
  appUrl: string;
  avatars: Avatars;
  chores: IdentityChores;
  audiences: Audiences;
  candidatePages: CandidatePages;
  creators: Creators;
  leakFilter: HandleLeakFilter;
  enumerationDetector: EnumerationDetector;
  guestQuotes: GuestQuotes;
  handles: KnownHandles;
  identities: Identities;
  operatorCreators: OperatorCreatorService;
  fileImports: FileImports;
  importer: Importer;
  imports: Imports;
  launches: Launches;
  log: BaseShell['log'];
  operated: OperatedCreators;
  uploads: Uploads;
  loader: NetworkLoader;
  memory: NetworkMemory;
  messages: OperatorMessages;
  meters: Meters;
  paidOrders: PaidOrders;
  planCreators: PlanCreators;
  planning: Client<'campaign_texts'>;
  priceAsks: PriceAsks;
  advanceClock: AdvanceClock;
  launchPropagation: LaunchPropagation;
  /** Whether the generated network may be loaded: everywhere except production. */
  generatorAllowed: boolean;
};

export const handlers = {
  inventory,
  resolveAudience,
  guestInventory,
  guestAudience,
  planQuoteGuest,
  guestQuotesLeft,
  creatorsSearch,
  creatorGet,
  creatorAskPrice,
  networkFacts,
  devNetwork,
  devNetworkLoad,
  audienceResolve,
  planCandidates,
  readLimits,
  unitFacts,
  creatorApplied,
  creatorPause,
  creatorResume,
  creatorTerms,
  identityReveal,
  avatarRead,
  catalogClockSet,
  catalogUploadChunk,
  opsCreatorsList,
  opsCreatorGet,
  opsCreatorsImport,
  opsCreatorFacts,
  opsImportGet,
  opsCreatorChange,
  opsCreatorVet,
  opsCreatorPause,
  opsCreatorResume,
  opsCreatorExclude,
  opsCreatorInclude,
  opsCreatorFlag,
  opsCreatorUnflag,
  opsCreatorMerge,
  opsCreatorErase,
  opsPriceSet,
  opsPricesList,
  opsPriceAsksList,
  opsPriceAskClose,
  opsLaunchesList,
  opsLaunchAdd,
  opsLaunchChange,
  opsLaunchRemove,
} satisfies Handlers<'catalog', Dependencies>;

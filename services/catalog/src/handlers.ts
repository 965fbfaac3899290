// One handler for each operation that catalog declares.

export { audienceResolve } from './operations/audience-resolve.js';
export { avatarRead } from './operations/avatar-read.js';
export { catalogClockSet } from './operations/catalog-clock-set.js';
export { catalogUploadChunk } from './operations/catalog-upload-chunk.js';
export { creatorApplied } from './operations/creator-applied.js';
export { creatorAskPrice } from './operations/creator-ask-price.js';
export { creatorGet } from './operations/creator-get.js';
export { creatorPause, creatorResume } from './operations/creator-pause.js';
export { creatorTerms } from './operations/creator-terms.js';
export { creatorsSearch } from './operations/creators-search.js';
export { devNetwork } from './operations/dev-network.js';
export { devNetworkLoad } from './operations/dev-network-load.js';
export { guestAudience } from './operations/guest-audience.js';
export { guestInventory } from './operations/guest-inventory.js';
export { guestQuotesLeft } from './operations/guest-quotes-left.js';
export { identityReveal } from './operations/identity-reveal.js';
export { inventory } from './operations/inventory.js';
export { networkFacts } from './operations/network-facts.js';
export { opsCreatorChange } from './operations/operators/ops-creator-change.js';
export { opsCreatorErase } from './operations/operators/ops-creator-erase.js';
export { opsCreatorGet } from './operations/operators/ops-creator-get.js';
export { opsCreatorMerge } from './operations/operators/ops-creator-merge.js';
export {
  opsCreatorExclude,
  opsCreatorFlag,
  opsCreatorInclude,
  opsCreatorPause,
  opsCreatorResume,
  opsCreatorUnflag,
} from './operations/operators/ops-creator-switch.js';
export { opsCreatorVet } from './operations/operators/ops-creator-vet.js';
export { opsCreatorFacts, opsCreatorsImport } from './operations/operators/ops-creators-import.js';
export { opsCreatorsList } from './operations/operators/ops-creators-list.js';
export { opsImportGet } from './operations/operators/ops-import-get.js';
export { opsLaunchAdd } from './operations/operators/ops-launch-add.js';
export { opsLaunchChange } from './operations/operators/ops-launch-change.js';
export { opsLaunchRemove } from './operations/operators/ops-launch-remove.js';
export { opsLaunchesList } from './operations/operators/ops-launches-list.js';
export { opsPriceAskClose } from './operations/operators/ops-price-ask-close.js';
export { opsPriceAsksList } from './operations/operators/ops-price-asks-list.js';
export { opsPriceSet } from './operations/operators/ops-price-set.js';
export { opsPricesList } from './operations/operators/ops-prices-list.js';
export { planCandidates } from './operations/plan-candidates.js';
export { planQuoteGuest } from './operations/plan-quote-guest.js';
export { readLimits } from './operations/read-limits.js';
export { resolveAudience } from './operations/resolve-audience.js';
export { unitFacts } from './operations/unit-facts.js';

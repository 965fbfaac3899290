/** What tests outside this service may use of it. */
export type { Creator } from '../domain/creator/creator.js';
export type { Audience } from '../domain/matching/score.js';
export { onOrderChanged } from '../events/order-changed.js';
export { audienceResolve } from '../operations/audience-resolve.js';
export { creatorGet } from '../operations/creator-get.js';
export { creatorsSearch } from '../operations/creators-search.js';
export { identityReveal } from '../operations/identity-reveal.js';
export { planCandidates } from '../operations/plan-candidates.js';
export { unitFacts } from '../operations/unit-facts.js';
export type { RowFacts } from '../present/creator.js';
export { CandidatePages } from '../snapshot/candidate-pages.js';
export { NetworkMemory } from '../snapshot/memory.js';
export { aCreator, anId, aUnit } from './builders.js';
export { APP_URL, aNetwork, aRequest, NOW, type TestNetwork } from './network.js';
export { referenceAudience, referenceList } from './reference-list.js';

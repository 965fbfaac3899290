/** What the benchmark measures of this service by itself. */
export { LISTED_FILTER } from '../domain/creator/bookable.js';
export { takeCreator } from '../domain/import/import-creator.js';
export { generateCreator } from '../generator/generate.js';
export { HandleLeakFilter, rowFilter } from '../identity/handle-leak-filter.js';
export { IDENTITIES } from '../identity/identities.js';
export { KnownHandles } from '../identity/known-handles.js';
export { creatorsSearch } from '../operations/creators-search.js';
export { avatarsAt } from '../present/avatar.js';
export type { RowFacts } from '../present/creator.js';
export { NetworkMemory } from '../snapshot/memory.js';
export { Creators, SALE } from '../store/creators.js';
export { Meters } from '../store/meters.js';
export { NetworkState } from '../store/network-state.js';

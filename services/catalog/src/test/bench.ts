/** What the benchmark measures of this service by itself. */
export { isListed, LISTED_FILTER } from '../domain/creator/bookable.js';
export { generateCreator } from '../domain/generator/generate.js';
export { takeCreator } from '../domain/import/import-creator.js';
export { creatorsSearch } from '../operations/creators-search.js';
export type { RowFacts } from '../present/creator.js';
export { Codes } from '../snapshot/columns.js';
export { Network } from '../snapshot/network.js';
export { makeRow } from '../snapshot/rows.js';
export { Meters } from '../store/meters.js';

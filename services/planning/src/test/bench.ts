/** What the benchmark measures of this service by itself. */
export { choose } from '../domain/builder/build.js';

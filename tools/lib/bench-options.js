/** The options of `npm run bench`, which the launcher checks before it builds anything. */
export const BENCH_OPTIONS = /** @type {const} */ ({
  quick: { type: 'boolean' },
  only: { type: 'string' },
  profile: { type: 'boolean' },
});

/** How many times more cases than usual a property draws; `npm run test:deep` sets it. */
const FACTOR = Number(process.env['CDS_DRAWS_FACTOR'] ?? 1);

/** How many cases a property draws. */
export const draws = (usual: number): number => usual * FACTOR;

/**
 * The seed of a suite that draws its cases: the suite's own variable, else that of the whole run. Without either it is
 * the same each time, so that a failure of `npm test` comes from the change and not from the draw.
 */
export const seedFrom = (variable: string): number => Number(process.env[variable] ?? process.env['CDS_SEED'] ?? 1);

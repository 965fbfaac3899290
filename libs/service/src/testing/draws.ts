/** How many times more cases than usual a property draws; `npm run test:deep` sets it. */
const FACTOR = Number(process.env['CDS_DRAWS_FACTOR'] ?? 1);

/** How many cases a property draws. */
export const draws = (usual: number): number => usual * FACTOR;

/**
 * The suite's own variable, else the run's; without either the same each time, so that a failure comes from the change.
 */
export const seedFrom = (variable: string): number => Number(process.env[variable] ?? process.env['CDS_SEED'] ?? 1);

/** How many times more cases than usual a property draws; `npm run test:deep` sets it. */
const FACTOR = Number(process.env['CDS_DRAWS_FACTOR'] ?? 1);

/** How many cases a property draws. */
export const draws = (usual: number): number => usual * FACTOR;

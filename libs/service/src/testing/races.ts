/** How often each race is run; `npm run test:deep` sets more. */
export const RACE_ROUNDS = Number(process.env['CDS_RACE_ROUNDS'] ?? 8);

/** Milliseconds that a test of races may take. */
export const RACE_TIMEOUT_MS = 20_000 + RACE_ROUNDS * 500;

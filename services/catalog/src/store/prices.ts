/** The indexes of price rows. Rows are only ever added (domain 1-network 3). */
export const PRICES = {
  name: 'prices',
  indexes: [{ key: { unit_id: 1, as_of: -1, recorded_at: -1 } }],
} as const;

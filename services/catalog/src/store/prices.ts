/** The indexes of price rows. Rows are only ever added (docs/domain/network.md#prices). */
export const PRICES = {
  name: 'prices',
  indexes: [{ key: { unit_id: 1, as_of: -1, recorded_at: -1 } }],
} as const;

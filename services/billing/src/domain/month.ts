/** The UTC month of an instant as `YYYY-MM`: the month a signing counts in (docs/domain/orders.md#spend). */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The UTC month of an instant as `YYYY-MM`: the month a signing counts in (domain 3-orders 5). */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

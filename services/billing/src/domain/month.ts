/** In UTC, as `YYYY-MM` (docs/domain/orders.md#spend). */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

export const monthBefore = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 2)));
};

import type { QuoteTotals, ReachBand } from '@cds/contracts';
import { type Line, totalOf } from '../plan.js';

const TIERS: readonly ReachBand[] = ['nano', 'micro', 'mid', 'macro', 'mega'];

/** Money in US cents (docs/domain/plans.md#totals). */
export const totalsOf = (
  lines: readonly Line[],
  budgetCents: number | null,
  /** The total that an edit would meet: at current prices, while the plan is unsigned. */
  dueCents: number = totalOf(lines),
): QuoteTotals => {
  const total = totalOf(lines);
  const measured = lines.flatMap((line) =>
    line.views_low === null || line.views_high === null
      ? []
      : [{ price: line.price_cents, low: line.views_low, high: line.views_high }],
  );
  const low = measured.reduce((sum, line) => sum + line.low, 0);
  const high = measured.reduce((sum, line) => sum + line.high, 0);
  const price = measured.reduce((sum, line) => sum + line.price, 0);
  const perThousand = (views: number): number | null => (views === 0 ? null : Math.round((price * 1_000) / views));
  const inTier = (tier: ReachBand): number => lines.filter((line) => line.creator?.reach_band === tier).length;
  const [nano, micro, mid, macro, mega] = TIERS.map(inTier);
  return {
    creators: new Set(lines.flatMap((line) => (line.creator_id === null ? [] : [line.creator_id]))).size,
    total_cents: total,
    views_low: measured.length === 0 ? null : low,
    views_high: measured.length === 0 ? null : high,
    unmeasured: lines.length - measured.length,
    cpm_low_cents: measured.length === 0 ? null : perThousand(high),
    cpm_high_cents: measured.length === 0 ? null : perThousand(low),
    tiers: { nano: nano ?? 0, micro: micro ?? 0, mid: mid ?? 0, macro: macro ?? 0, mega: mega ?? 0 },
    budget_cents: budgetCents,
    remaining_cents: budgetCents === null ? null : Math.max(0, budgetCents - Math.max(total, dueCents)),
  };
};

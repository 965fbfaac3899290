export type Variant = { name: string; slice: (seconds: number) => Promise<Slice> };

export type Slice = {
  operations: number;
  perSecond: number;
  p50: number;
  p99: number;
  cpu: Record<string, number>;
  failed: number;
};

export type VariantReport = {
  name: string;
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU microseconds per operation, by process. */
  cpu: Record<string, number>;
  cpuTotal: number;
  failed: number;
  /** Median of the per-round ratio to the reference, with quartiles; 1 for the reference itself. */
  ratio: { median: number; low: number; high: number };
  /** Each round's own slice, for ratios to the other variants. */
  rounds: Pick<Slice, 'perSecond' | 'p50' | 'p99'>[];
};

export const quantile = (sorted: ArrayLike<number>, q: number): number => {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

const WARM_UP_SECONDS = 4;

/**
 * Interleaves slices of all variants, in reverse order every second round, and compares them round by round. Machines
 * are noisy, so only ratios within one run are meaningful (docs/performance.md#method). The first variant is the
 * reference.
 */
export const runRounds = async (
  variants: readonly Variant[],
  { rounds, seconds, progress }: { rounds: number; seconds: number; progress: (text: string) => void },
): Promise<VariantReport[]> => {
  for (const variant of variants) await variant.slice(WARM_UP_SECONDS);
  const slices = new Map<string, Slice[]>(variants.map((variant) => [variant.name, []]));
  for (let round = 0; round < rounds; round += 1) {
    progress(`round ${round + 1} of ${rounds}`);
    const order = round % 2 === 0 ? variants : [...variants].reverse();
    for (const variant of order) slices.get(variant.name)?.push(await variant.slice(seconds));
  }

  const reference = slices.get(variants[0]?.name ?? '') ?? [];
  return variants.map((variant) => {
    const own = slices.get(variant.name) ?? [];
    const ratios = own
      .map((slice, round) => slice.perSecond / (reference[round]?.perSecond ?? Number.NaN))
      .sort((a, b) => a - b);
    const names = [...new Set(own.flatMap((slice) => Object.keys(slice.cpu)))];
    const cpu = Object.fromEntries(
      names.map((name) => [name, Math.round(median(own.map((slice) => slice.cpu[name] ?? 0)))]),
    );
    return {
      name: variant.name,
      perSecond: Math.round(median(own.map((slice) => slice.perSecond))),
      p50: median(own.map((slice) => slice.p50)),
      p99: median(own.map((slice) => slice.p99)),
      cpu,
      cpuTotal: Object.values(cpu).reduce((sum, value) => sum + value, 0),
      failed: own.reduce((sum, slice) => sum + slice.failed, 0),
      ratio: { median: quantile(ratios, 0.5), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) },
      rounds: own.map(({ perSecond, p50, p99 }) => ({ perSecond, p50, p99 })),
    };
  });
};

/** What k6 hands to `handleSummary`, as far as it is read here. */
export type Summary = {
  state: { testRunDurationMs: number };
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
};

type Row = { operation: string; median: number; p95: number; p99: number; max: number; ok: boolean };

const OPERATION = /^http_req_duration\{operation:(.+)\}$/;

/** The operations that were called, in order of their names. */
const rowsOf = ({ metrics }: Summary): Row[] =>
  Object.entries(metrics)
    .flatMap(([name, { values, thresholds = {} }]): Row[] => {
      const operation = OPERATION.exec(name)?.[1];
      if (operation === undefined || (values['max'] ?? 0) === 0) return [];
      const of = (stat: string): number => Math.round((values[stat] ?? 0) * 10) / 10;
      const ok = Object.values(thresholds).every((threshold) => threshold.ok);
      return [{ operation, median: of('med'), p95: of('p(95)'), p99: of('p(99)'), max: of('max'), ok }];
    })
    .sort((one, two) => one.operation.localeCompare(two.operation));

/** The figures of the whole run in words. */
const linesOf = ({ metrics, state }: Summary): string[] => {
  const value = (metric: string, name: string): number => metrics[metric]?.values[name] ?? 0;
  return [
    `${value('http_reqs', 'count')} requests in ${(state.testRunDurationMs / 1_000).toFixed(0)} s, ${value('http_reqs', 'rate').toFixed(1)} a second`,
    `answered as expected: ${value('checks', 'passes')}; answered otherwise: ${value('checks', 'fails')}`,
    `refused by a limit: ${value('limited', 'count')}; not begun for want of agents: ${value('dropped_iterations', 'count')}`,
  ];
};

/** The report for a terminal. */
export const table = (run: string, summary: Summary): string => {
  const head = `  ${'operation'.padEnd(24)}${['median', 'p95', 'p99', 'max'].map((name) => name.padStart(10)).join('')}  ms`;
  const rows = rowsOf(summary).map(
    ({ operation, median, p95, p99, max, ok }) =>
      `${ok ? ' ' : '!'} ${operation.padEnd(24)}${[median, p95, p99, max].map((ms) => ms.toFixed(1).padStart(10)).join('')}${ok ? '' : '  over its limit'}`,
  );
  return ['', `Load: ${run}`, ...linesOf(summary).map((line) => `  ${line}`), '', head, ...rows, ''].join('\n');
};

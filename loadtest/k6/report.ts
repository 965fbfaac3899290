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

const BAR = 420;

/** The report as a page that needs nothing else: a bar for each operation, to its 99th percentile. */
export const page = (run: string, summary: Summary): string => {
  const rows = rowsOf(summary);
  const longest = Math.max(1, ...rows.map(({ p99 }) => p99));
  const width = (ms: number): string => ((ms / longest) * BAR).toFixed(1);
  const bars = rows.map(
    ({ operation, median, p95, p99, ok }) =>
      `<tr${ok ? '' : ' class="over"'}><th scope="row">${operation}</th><td><svg width="${BAR}" height="16" role="img" aria-label="median ${median} ms, 99th percentile ${p99} ms"><rect width="${width(p99)}" height="16" class="p99"/><rect width="${width(p95)}" height="16" class="p95"/><rect width="${width(median)}" height="16" class="median"/></svg></td><td>${median}</td><td>${p95}</td><td>${p99}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Load: ${run}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
td:nth-child(n+3) { text-align: right; font-variant-numeric: tabular-nums; }
.p99 { fill: #9db7d9; } .p95 { fill: #5f8cc4; } .median { fill: #1f5fa8; } .over th { color: #c0392b; }
</style></head><body><h1>Load: ${run}</h1>
${linesOf(summary)
  .map((line) => `<p>${line}</p>`)
  .join('\n')}
<table><thead><tr><th>Operation</th><th>To its 99th percentile</th><th>Median ms</th><th>95th</th><th>99th</th></tr></thead>
<tbody>${bars.join('\n')}</tbody></table></body></html>
`;
};

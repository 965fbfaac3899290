/** docs/metrics.md: the declared metrics as tables. */
import type { DeclaredMetric } from '../../libs/service/dist/telemetry/declared-metrics.js';

const OPENING = `# Metrics

Every process serves its metrics on its operations port, at \`/metrics\`, as text that Prometheus reads. This page is
made by \`npm run generate\` from \`libs/service/src/telemetry/declared-metrics.ts\`; a test compares the declarations with
what a running system serves, in both directions. Dashboards and alerts use these names only:
[operating](operating.md#metrics-dashboards-and-alerts) says how to install them.

Prometheus adds the labels \`service\` and \`instance\`. A histogram is served as \`_bucket\`, \`_sum\` and \`_count\`.
Where a label's values are listed, a counter begins at 0 for each; otherwise it appears with its first event. A value
that cannot be read now is \`NaN\`.
`;

const OPEN = 'open';

function servedBy(of: readonly string[], { services, busAdmin }: { services: readonly string[]; busAdmin: string }) {
  if (services.every((one) => of.includes(one))) return of.includes(busAdmin) ? 'every process' : 'every service';
  const left = services.filter((one) => !of.includes(one));
  return left.length === 1 ? `every service but ${left[0]}` : of.join(', ');
}

const labelCell = (labels: DeclaredMetric['labels']) =>
  Object.entries(labels)
    .map(([label, values]) => `\`${label}\`${values === OPEN ? '' : ` (${(values as string[]).join(', ')})`}`)
    .join(', ');

export function metricPage(
  metrics: Readonly<Record<string, DeclaredMetric>>,
  areas: readonly string[],
  contracts: { services: readonly string[]; busAdmin: string },
) {
  const sections = areas.map((area) => {
    const rows = Object.entries(metrics)
      .filter(([, metric]) => metric.area === area)
      .map(
        ([name, { kind, of, labels, help }]) =>
          `| \`${name}\` | ${kind} | ${servedBy(of, contracts)} | ${labelCell(labels)} | ${help.replaceAll('|', '\\|')} |`,
      );
    return [
      `## ${area}`,
      '',
      '| metric | kind | served by | labels | meaning |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${[OPENING, ...sections]
    .join('\n')
    .replace(/\n(## )/g, '\n\n$1')
    .replace(/\n{3,}/g, '\n\n')}\n`;
}

/** docs/metrics.md and docs/configuration.md, from what is declared. */
import type { DeclaredMetric } from '../../libs/service/dist/telemetry/declared-metrics.js';

export type Variable = {
  name: string;
  required: boolean;
  fallback: string | null;
  values: readonly string[] | null;
  description: string;
  secret: boolean;
};

const CONFIGURATION = `# Configuration

Every variable that a process reads from its environment. This page is made by \`npm run generate\` from the schemas
(\`services/*/src/config.ts\` and \`libs/service/src/config\`). A process reads its environment once, when it starts; if
anything is missing or wrong, it reports every problem in one message and ends.

A variable without a default must be set. *Secret* means: keep it in a secret store, as
[rotation](operating.md#secrets-and-their-rotation) says. \`npm run deploy:secrets\` makes those that nobody else gives
you.
`;

const METRICS = `# Metrics

Every process serves its metrics on its operations port, at \`/metrics\`, as text that Prometheus reads. This page is
made by \`npm run generate\` from \`libs/service/src/telemetry/declared-metrics.ts\`; a test compares the declarations with
what a running system serves, in both directions. Dashboards and alerts use these names only:
[operating](operating.md#metrics-dashboards-and-alerts) says how to install them.

Prometheus adds the labels \`service\` and \`instance\`. A histogram is served as \`_bucket\`, \`_sum\` and \`_count\`.
Where a label's values are listed, a counter begins at 0 for each; otherwise it appears with its first event. A value
that cannot be read now is \`NaN\`.
`;

const section = (title: string, columns: string, rows: readonly string[]) =>
  [`## ${title}\n`, columns, columns.replaceAll(/[^|]+/g, '---'), ...rows].join('\n');

function servedBy(of: readonly string[], { services, busAdmin }: { services: readonly string[]; busAdmin: string }) {
  if (services.every((one) => of.includes(one))) return of.includes(busAdmin) ? 'every process' : 'every service';
  const left = services.filter((one) => !of.includes(one));
  return left.length === 1 ? `every service but ${left[0]}` : of.join(', ');
}

const labelCell = (labels: DeclaredMetric['labels']) =>
  Object.entries(labels)
    .map(([label, values]) => `\`${label}\`${values === 'open' ? '' : ` (${(values as string[]).join(', ')})`}`)
    .join(', ');

/** The declared metrics by area. */
export function metricPage(
  metrics: Readonly<Record<string, DeclaredMetric>>,
  areas: readonly string[],
  contracts: { services: readonly string[]; busAdmin: string },
) {
  const row = ([name, { kind, of, labels, help }]: [string, DeclaredMetric]) =>
    `| \`${name}\` | ${kind} | ${servedBy(of, contracts)} | ${labelCell(labels)} | ${help.replaceAll('|', '\\|')} |`;
  const sections = areas.map((area) => {
    const own = Object.entries(metrics).filter(([, metric]) => metric.area === area);
    return section(area, '| metric | kind | served by | labels | meaning |', own.map(row));
  });
  return `${[METRICS, ...sections].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`;
}

const variableRow = ({ name, required, fallback, values, description, secret }: Variable) => {
  const fallen = required ? '' : fallback === '' ? 'empty' : `\`${fallback}\``;
  const choice = values === null ? '' : ` One of ${values.join(', ')}.`;
  return `| \`${name}\` | ${fallen} | ${secret ? '*Secret.* ' : ''}${`${description}${choice}`.replaceAll('|', '\\|')} |`;
};

/** What all processes read, what all services read as well, and what each process reads alone. */
export function configurationPage(ofProcess: Readonly<Record<string, readonly Variable[]>>) {
  const processes = Object.keys(ofProcess);
  const services = processes.filter((name) => name !== 'bus-admin');
  const isIn = (of: readonly string[], name: string) =>
    of.every((one) => ofProcess[one].some((variable) => variable.name === name));
  const [any] = services;
  const common = ofProcess[any].filter(({ name }) => isIn(processes, name));
  const ofServices = ofProcess[any].filter(({ name }) => isIn(services, name) && !isIn(processes, name));
  const shared = new Set([...common, ...ofServices].map(({ name }) => name));
  const own = processes.map((name) => ({
    title: name[0].toUpperCase() + name.slice(1),
    variables: ofProcess[name].filter((one) => !shared.has(one.name)),
  }));
  const table = (title: string, variables: readonly Variable[]) =>
    section(title, '| variable | default | meaning |', variables.map(variableRow));
  const none = own.filter(({ variables }) => variables.length === 0).map(({ title }) => title);
  const some = own.filter(({ variables }) => variables.length > 0);
  return [
    CONFIGURATION.trimEnd(),
    table('Every process', common),
    table('Every service', ofServices),
    ...some.map(({ title, variables }) => table(title, variables)),
    `${none.join(', ')} have no variables of their own.\n`,
  ].join('\n\n');
}

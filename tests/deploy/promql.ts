import { type DeclaredMetric, METRICS, OPEN } from '@cds/service';

/** What Prometheus adds to each series, and the bounds of histograms. */
const ADDED: readonly string[] = ['service', 'instance', 'job', 'le'];
/** The metrics that are not the system's own, with their labels. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  ALERTS: ['alertname', 'alertstate', 'severity'],
  'slo:bad:ratio_rate': ['slo'],
  'slo:all:rate': ['slo'],
};

const WINDOW = /(?<=^slo:.*_rate|^slo:all:rate)\d+[mhd]$/;
const PART = /_(?:bucket|sum|count)$/;
/** A string, a name that may begin with a dollar sign, or one other character. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\$?[A-Za-z_][\w:]*|\d[\w.]*|=~|!~|!=|[^\s]/g;
const GROUPING: ReadonlySet<string> = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);

/** The metric that a name in an expression is of, with its labels; undefined for one that nobody declares. */
const labelsOf = (name: string): DeclaredMetric['labels'] | undefined => {
  const declared: Readonly<Record<string, DeclaredMetric>> = METRICS;
  const whole = declared[name];
  if (whole !== undefined) return whole.kind === 'histogram' ? undefined : whole.labels;
  const histogram = declared[name.replace(PART, '')];
  if (histogram?.kind === 'histogram') return histogram.labels;
  const other = OTHERS[name.replace(WINDOW, '')];
  return other === undefined ? undefined : Object.fromEntries(other.map((label) => [label, OPEN]));
};

/**
 * What is wrong with the names in an expression of PromQL: metrics that nobody declares, labels that its metrics do not
 * have, and values that a label never has. `legend` may show the labels of the expression only.
 */
export const problemsOf = (expression: string, legend = ''): string[] => {
  const tokens = [...expression.matchAll(TOKEN)].map(([token]) => token);
  const problems: string[] = [];
  const known = new Set(ADDED);
  const used: string[] = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);

  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    const next = tokens[at + 1];
    if (GROUPING.has(token) && next === '(') {
      const end = tokens.indexOf(')', at);
      used.push(...tokens.slice(at + 2, end).filter((one) => one !== ','));
      at = end;
    } else if (/^[A-Za-z_]/.test(token) && isSeries(token, next)) {
      const labels = labelsOf(token);
      if (labels === undefined) problems.push(`${token} is not declared`);
      for (const label of Object.keys(labels ?? {})) known.add(label);
      if (next !== '{') continue;
      const end = tokens.indexOf('}', at);
      for (let matcher = at + 2; matcher < end; matcher += 4) {
        const [label = '', operator = '', value = ''] = tokens.slice(matcher, matcher + 3);
        const values = labels?.[label];
        if (labels !== undefined && values === undefined && !ADDED.includes(label))
          problems.push(`${token} has no label ${label}`);
        const text = value.slice(1, -1);
        if (operator === '=' && Array.isArray(values) && !values.includes(text))
          problems.push(`${label} of ${token} is never ${text}`);
      }
      at = end;
    }
  }
  return [...problems, ...used.filter((label) => !known.has(label)).map((label) => `no metric has the label ${label}`)];
};

/** Whether a name is that of a series: neither a function, nor an operator, nor inside a range. */
const isSeries = (name: string, next: string | undefined): boolean =>
  next !== '(' && (/^(?:cds_|slo:|ALERTS$)/.test(name) || (next === '{' && name !== 'offset'));

/** What callers are promised, as ratios of what may fail, and how fast a budget may burn before somebody is paged. */

/**
 * @typedef {{
 *   name: string,
 *   promise: string,
 *   budget: number,
 *   bad: (window: string) => string,
 *   all: (window: string) => string,
 * }} Slo `bad` and `all` count per second over a window; `budget` is the share of `all` that may be bad in 30 days.
 */

/**
 * The objectives. Requests of operations count, pages and health do not.
 * @param {readonly string[]} failures the error codes that are our fault
 * @returns {readonly Slo[]}
 */
export function objectives(failures) {
  const requests = 'cds_http_requests_total{effect=~"read|write"}';
  const failed = `cds_http_requests_total{effect=~"read|write",code=~"${failures.join('|')}"}`;
  /**
   * @param {string} metric
   * @param {string} labels
   * @param {string} bound
   */
  const slower = (metric, labels, bound) => (/** @type {string} */ window) => {
    const fast = `${metric}_bucket{${[labels, `le=~"${bound}"`].filter(Boolean).join(',')}}`;
    return `sum(rate(${metric}_count{${labels}}[${window}])) - sum(rate(${fast}[${window}]))`;
  };
  /**
   * @param {string} metric
   * @param {string} labels
   */
  const count = (metric, labels) => (/** @type {string} */ window) =>
    `sum(rate(${metric}_count{${labels}}[${window}]))`;
  const duration = 'cds_http_request_duration_seconds';
  return [
    {
      name: 'availability',
      promise: '99.9 % of operations are answered without a fault of ours (no 5xx)',
      budget: 0.001,
      bad: (window) => `sum(rate(${failed}[${window}])) or vector(0)`,
      all: (window) => `sum(rate(${requests}[${window}]))`,
    },
    {
      name: 'reads',
      promise: '99 % of reads are answered within 0.5 s',
      budget: 0.01,
      bad: slower(duration, 'effect="read"', '0.5'),
      all: count(duration, 'effect="read"'),
    },
    {
      name: 'writes',
      promise: '99 % of writes are answered within 2.5 s',
      budget: 0.01,
      bad: slower(duration, 'effect="write"', '2.5'),
      all: count(duration, 'effect="write"'),
    },
    {
      name: 'events',
      promise: '99 % of events take effect within 5 s of their commit',
      budget: 0.01,
      // Newer versions of Prometheus write a whole bound with a decimal.
      bad: slower('cds_event_delay_seconds', '', String.raw`5(\\.0)?`),
      all: count('cds_event_delay_seconds', ''),
    },
  ];
}

/**
 * How fast a budget burns, as a multiple of the rate that would use it up in 30 days. Both windows must burn: the long
 * one shows that it matters, the short one that it has not stopped.
 */
export const BURNS = [
  { suffix: 'Fast', long: '1h', short: '5m', factor: 14.4, severity: 'page', uses: '2 % of the budget in an hour' },
  { suffix: 'Fast', long: '6h', short: '30m', factor: 6, severity: 'page', uses: '5 % of the budget in six hours' },
  { suffix: 'Slow', long: '1d', short: '2h', factor: 3, severity: 'ticket', uses: '10 % of the budget in a day' },
  { suffix: 'Slow', long: '3d', short: '6h', factor: 1, severity: 'ticket', uses: 'the budget before its 30 days end' },
];

/** With fewer than this many in the long window, single failures say nothing. */
const ENOUGH = 50;

/** @param {string} text */
const seconds = (text) => Number.parseInt(text, 10) * { m: 60, h: 3_600, d: 86_400 }[/** @type {'m'} */ (text.at(-1))];

/** The recorded ratio of an objective over a window. @param {string} window */
export const ratioOf = (window) => `slo:bad:ratio_rate${window}`;

/** The recorded rate of everything that an objective counts. @param {string} window */
export const rateOf = (window) => `slo:all:rate${window}`;

/**
 * The recording rules: a ratio and a rate for each objective and window.
 * @param {readonly Slo[]} slos
 */
export function recordings(slos) {
  const windows = [...new Set(BURNS.flatMap(({ long, short }) => [short, long]))].sort(
    (a, b) => seconds(a) - seconds(b),
  );
  return slos.flatMap(({ name, bad, all }) =>
    windows.flatMap((window) => [
      { record: ratioOf(window), labels: { slo: name }, expr: `(${bad(window)}) / (${all(window)} > 0)` },
      { record: rateOf(window), labels: { slo: name }, expr: all(window) },
    ]),
  );
}

/**
 * The alerts on burning budgets: one name for each objective and severity.
 * @param {readonly Slo[]} slos
 */
export function burnAlerts(slos) {
  return slos.flatMap(({ name, promise, budget }) =>
    ['Fast', 'Slow'].map((suffix) => {
      const burns = BURNS.filter((one) => one.suffix === suffix);
      const expr = burns
        .map(({ long, short, factor }) => {
          const over = Number((factor * budget).toPrecision(6));
          const of = `{slo="${name}"}`;
          const many = `${rateOf(long)}${of} * ${seconds(long)} >= ${ENOUGH}`;
          return `(${ratioOf(long)}${of} > ${over} and ${ratioOf(short)}${of} > ${over} and ${many})`;
        })
        .join('\nor\n');
      return {
        alert: `${name[0].toUpperCase()}${name.slice(1)}BudgetBurns${suffix}`,
        expr,
        severity: burns[0].severity,
        summary: `Too much fails of this promise: ${promise}. At this rate it uses ${burns.map(({ uses }) => uses).join(', or ')}.`,
      };
    }),
  );
}

/** One state of the system's metrics, and whether an alert fires in it. `at` is how long the state has lasted. */
export type AlertCase = { alert: string; series: Readonly<Record<string, string>>; at: string; fires: boolean };

const PROCESSES = ['gateway', 'catalog', 'planning', 'billing', 'proposals', 'metrics', 'bus-admin'];
const BILLING = 'service="billing",instance="a"';

/** Constant series, one sample each 15 s for three hours. */
const steady = (value: number | string): string => `${value}+0x720`;
/** A counter that rises by so much each 15 s. */
const rising = (by: number): string => `0+${by}x720`;
/** A counter that rises by one after ten minutes. */
const once = '0x40 1x680';

const everyProcess = (versionOf: (process: string) => string = () => '1.25.0'): Record<string, string> =>
  Object.fromEntries(
    PROCESSES.map((name) => [
      `cds_build_info{service="${name}",instance="a",version="${versionOf(name)}",node="24"}`,
      steady(1),
    ]),
  );

/** A case in which an alert fires, and one like it in which it does not. */
const pair = (
  alert: string,
  at: string,
  firing: Record<string, string>,
  quiet: Record<string, string>,
): readonly AlertCase[] => [
  { alert, at, series: firing, fires: true },
  { alert, at, series: quiet, fires: false },
];

/** The same for a gauge of one process: a value that is too much, and one that is not. */
const gauge = (alert: string, at: string, series: string, bad: number, good: number): readonly AlertCase[] =>
  pair(alert, at, { [series]: steady(bad) }, { [series]: steady(good) });

/** Requests that end in a code, so many each 15 s. */
const requests = (code: string, by: number): Record<string, string> => ({
  [`cds_http_requests_total{endpoint="inventory",effect="read",code="${code}",reason=""}`]: rising(by),
});

/** A histogram of which so many of 100 each 15 s are within a bound. */
const durations = (metric: string, labels: string, bound: string, within: number): Record<string, string> => ({
  [`${metric}_bucket{${labels},le="${bound}"}`]: rising(within),
  [`${metric}_count{${labels}}`]: rising(100),
});

const budgets = [
  ...pair(
    'AvailabilityBudgetBurnsFast',
    '2h',
    { ...requests('ok', 98), ...requests('unavailable', 2) },
    { ...requests('ok', 100), ...requests('not_found', 5) },
  ),
  // A single failure among few requests is no pattern.
  {
    alert: 'AvailabilityBudgetBurnsFast',
    at: '30m',
    series: {
      'cds_http_requests_total{endpoint="inventory",effect="read",code="ok",reason=""}': '0+1x12 12x700',
      'cds_http_requests_total{endpoint="inventory",effect="read",code="internal",reason=""}': '0x4 1x716',
    },
    fires: false,
  },
  // Pages and health are no operations.
  {
    alert: 'AvailabilityBudgetBurnsFast',
    at: '2h',
    series: {
      ...requests('ok', 100),
      'cds_http_requests_total{endpoint="/readyz",effect="other",code="unavailable",reason=""}': rising(50),
    },
    fires: false,
  },
  ...pair(
    'AvailabilityBudgetBurnsSlow',
    '3h',
    { ...requests('ok', 994), ...requests('internal', 6) },
    { ...requests('ok', 10_000), ...requests('internal', 1) },
  ),
  ...[
    ['Reads', 'cds_http_request_duration_seconds', 'endpoint="inventory",effect="read"', '0.5'],
    ['Writes', 'cds_http_request_duration_seconds', 'endpoint="approve_plan",effect="write"', '2.5'],
    // The bound as older and as newer versions of Prometheus store it.
    ['Events', 'cds_event_delay_seconds', 'service="billing",event="order.changed"', '5'],
    ['Events', 'cds_event_delay_seconds', 'service="billing",event="order.changed"', '5.0'],
  ].flatMap(([name, metric = '', labels = '', bound = '']) => [
    ...pair(
      `${name}BudgetBurnsFast`,
      '2h',
      durations(metric, labels, bound, 80),
      durations(metric, labels, bound, 100),
    ),
    ...pair(
      `${name}BudgetBurnsSlow`,
      '3h',
      durations(metric, labels, bound, 96),
      durations(metric, labels, bound, 100),
    ),
  ]),
];

const { 'cds_build_info{service="billing",instance="a",version="1.25.0",node="24"}': _billing, ...allButBilling } =
  everyProcess();

const causes = [
  ...pair('ProcessMissing', '10m', allButBilling, everyProcess()),
  ...pair(
    'ProcessRestarts',
    '30m',
    { [`cds_process_cpu_seconds_total{${BILLING}}`]: '0+1x10 0+1x10 0+1x10 0+1x10 0+1x100' },
    { [`cds_process_cpu_seconds_total{${BILLING}}`]: '0+1x60 0+1x600' },
  ),
  ...pair(
    'EventLoopBusy',
    '30m',
    { [`cds_event_loop_busy_seconds_total{${BILLING}}`]: rising(14.5) },
    { [`cds_event_loop_busy_seconds_total{${BILLING}}`]: rising(10) },
  ),
  ...pair(
    'VersionsMixed',
    '90m',
    everyProcess((name) => (name === 'billing' ? '1.26.0' : '1.25.0')),
    everyProcess(),
  ),
  ...pair(
    'RequestsRefused',
    '20m',
    { [`cds_requests_refused_total{${BILLING}}`]: rising(1) },
    { [`cds_requests_refused_total{${BILLING}}`]: steady(7) },
  ),
  ...pair(
    'CallsUnanswered',
    '20m',
    { 'cds_bus_calls_unanswered_total{service="gateway",callee="billing",why="timeout"}': rising(5) },
    { 'cds_bus_calls_unanswered_total{service="gateway",callee="billing",why="lost"}': rising(5) },
  ),
  ...pair(
    'UsageLost',
    '12m',
    { 'cds_request_log_dropped_total{service="gateway"}': once },
    { 'cds_request_log_dropped_total{service="gateway"}': steady(9) },
  ),
  ...gauge('DatabaseWithoutPrimary', '5m', `cds_database_primary{${BILLING},database="cds_billing"}`, 0, 1),
  ...pair(
    'DatabaseConnectionsUsedUp',
    '10m',
    {
      [`cds_database_waiting{${BILLING},database="cds_billing"}`]: steady(12),
      [`cds_database_connections_used{${BILLING},database="cds_billing"}`]: steady(64),
    },
    {
      [`cds_database_waiting{${BILLING},database="cds_billing"}`]: steady(12),
      [`cds_database_connections_used{${BILLING},database="cds_billing"}`]: steady(20),
    },
  ),
  ...pair(
    'TransactionsFail',
    '30m',
    {
      [`cds_transactions_total{${BILLING},outcome="committed"}`]: rising(90),
      [`cds_transactions_total{${BILLING},outcome="unknown"}`]: rising(10),
    },
    {
      [`cds_transactions_total{${BILLING},outcome="committed"}`]: rising(90),
      [`cds_transactions_total{${BILLING},outcome="aborted"}`]: rising(10),
    },
  ),
  // A clock that is behind counts as one that is ahead.
  ...gauge('ClocksApart', '20m', `cds_database_clock_offset_seconds{${BILLING}}`, -3, 0.4),
  ...gauge('BusDisconnected', '5m', `cds_bus_connected{${BILLING}}`, 0, 1),
  ...gauge('BusIncomplete', '5m', 'cds_bus_topology_in_place{service="bus-admin"}', 0, 1),
  ...gauge('ConsumersDetached', '5m', `cds_consumers_detached{${BILLING}}`, 1, 0),
  ...gauge('OutboxStuck', '5m', `cds_outbox_oldest_seconds{${BILLING}}`, 45, 2),
  // A value that cannot be read is no value.
  {
    alert: 'OutboxStuck',
    at: '5m',
    series: { [`cds_outbox_oldest_seconds{${BILLING}}`]: Array.from({ length: 40 }, () => 'NaN').join(' ') },
    fires: false,
  },
  ...['pending', 'unacknowledged'].flatMap((kind) => {
    const of = (name: string) =>
      `cds_consumer_${name}{service="bus-admin",stream="BILLING",consumer="planning_billing"}`;
    const other = kind === 'pending' ? 'unacknowledged' : 'pending';
    return pair(
      'ConsumerBehind',
      '30m',
      { [of(kind)]: steady(1_500), [of(other)]: steady(0) },
      { [of(kind)]: steady(400), [of(other)]: steady(0) },
    );
  }),
  ...pair(
    'EventsFail',
    '40m',
    { [`cds_event_failures_total{${BILLING},event="order.changed",kind="failed"}`]: rising(1) },
    { [`cds_event_failures_total{${BILLING},event="order.changed",kind="waits"}`]: rising(1) },
  ),
  ...pair(
    'DeadLettersLeft',
    '7h',
    { [`cds_dead_letters_waiting{${BILLING}}`]: '2+0x1800' },
    // Somebody retried it.
    { [`cds_dead_letters_waiting{${BILLING}}`]: '2+0x1000 0+0x800' },
  ),
  ...pair(
    'SweepsStopped',
    '20m',
    { [`cds_sweep_runs_total{${BILLING},sweep="signings",outcome="done"}`]: steady(40) },
    { [`cds_sweep_runs_total{${BILLING},sweep="signings",outcome="done"}`]: rising(15) },
  ),
  ...pair(
    'SweepFails',
    '20m',
    { [`cds_sweep_runs_total{${BILLING},sweep="signings",outcome="failed"}`]: rising(1) },
    { [`cds_sweep_runs_total{${BILLING},sweep="signings",outcome="failed"}`]: once },
  ),
  ...gauge('AuditNotSealed', '20m', `cds_audit_unsealed_seconds{${BILLING}}`, 600, 4),
  ...pair(
    'SnapshotBehind',
    '5m',
    {
      'cds_snapshot_answering{service="catalog",instance="a"}': steady(1),
      'cds_snapshot_answering{service="catalog",instance="b"}': steady(0),
    },
    { 'cds_snapshot_answering{service="catalog",instance="a"}': steady(1) },
  ),
  ...pair(
    'NoSnapshotAnswers',
    '5m',
    { 'cds_snapshot_answering{service="catalog",instance="a"}': steady(0) },
    {
      'cds_snapshot_answering{service="catalog",instance="a"}': steady(1),
      'cds_snapshot_answering{service="catalog",instance="b"}': steady(0),
    },
  ),
  ...gauge('HoldsOverdue', '5m', `cds_hold_overdue_seconds{${BILLING}}`, 95, 3),
  ...pair(
    'PaymentEventsWait',
    '20m',
    { [`cds_payment_events_waiting{${BILLING},state="new"}`]: steady(2) },
    // New ones come and go, and parked ones wait for their payment.
    {
      [`cds_payment_events_waiting{${BILLING},state="new"}`]: '2 0 3 0 '.repeat(40).trim(),
      [`cds_payment_events_waiting{${BILLING},state="parked"}`]: steady(2),
    },
  ),
];

/** What each alarm is called in the log, and the alert of it. */
const alarms: readonly AlertCase[] = [
  ['audit_chain_broken', 'AuditChainBroken'],
  ['bus_topology_lost', 'BusTopologyLost'],
  ['dead_letter', 'DeadLetter'],
  ['handle_enumeration', 'HandleEnumeration'],
  ['handle_leak', 'HandleLeak'],
  ['payment_quarantined', 'PaymentQuarantined'],
  ['refund_refused', 'RefundRefused'],
  ['signing_stuck', 'SigningStuck'],
  ['signing_without_order', 'SigningWithoutOrder'],
  ['stray_charge', 'StrayCharge'],
  ['sweep_row_stuck', 'SweepRowStuck'],
  ['verdict_differs', 'VerdictDiffers'],
].flatMap(([alarm, alert = '']) =>
  pair(
    alert,
    '12m',
    { [`cds_alarms_total{${BILLING},alarm="${alarm}"}`]: once },
    // It was raised long ago.
    { [`cds_alarms_total{${BILLING},alarm="${alarm}"}`]: steady(3) },
  ),
);

/** Every alert in a state in which it fires, and in states in which it does not. */
export const CASES: readonly AlertCase[] = [...budgets, ...causes, ...alarms];

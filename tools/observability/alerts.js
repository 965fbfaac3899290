/** What a person should hear of, each with a section of docs/runbooks.md. */

/**
 * @typedef {{
 *   alert: string,
 *   expr: string,
 *   for?: string,
 *   severity: string,
 *   summary: string,
 * }} Alert A page cannot wait until the morning; a ticket can.
 */

/** @param {readonly string[]} processes */
const missing = (processes) => processes.map((name) => `absent(cds_build_info{service="${name}"})`).join('\nor\n');

/**
 * The alerts on causes, by group.
 * @param {readonly string[]} processes
 * @returns {Readonly<Record<string, readonly Alert[]>>}
 */
export const causes = (processes) => ({
  processes: [
    {
      alert: 'ProcessMissing',
      expr: missing(processes),
      for: '2m',
      severity: 'page',
      summary: 'No {{ $labels.service }} answers Prometheus.',
    },
    {
      alert: 'ProcessRestarts',
      expr: 'sum by (service) (resets(cds_process_cpu_seconds_total[30m])) > 3',
      severity: 'page',
      summary: '{{ $labels.service }} was restarted {{ $value }} times within 30 minutes.',
    },
    {
      alert: 'EventLoopBusy',
      expr: 'rate(cds_event_loop_busy_seconds_total[5m]) > 0.9',
      for: '10m',
      severity: 'ticket',
      summary: 'A process of {{ $labels.service }} has no time left: it is {{ $value | humanizePercentage }} busy.',
    },
    {
      alert: 'VersionsMixed',
      expr: 'count(count by (version) (cds_build_info)) > 1',
      for: '1h',
      severity: 'ticket',
      summary: '{{ $value }} versions have been running side by side for an hour.',
    },
  ],
  requests: [
    {
      alert: 'RequestsRefused',
      expr: 'sum by (service) (rate(cds_requests_refused_total[5m])) > 0',
      for: '2m',
      severity: 'page',
      summary: '{{ $labels.service }} refuses requests because too many are running.',
    },
    {
      alert: 'CallsUnanswered',
      expr: 'sum by (callee) (rate(cds_bus_calls_unanswered_total{why=~"no_responder|timeout"}[5m])) > 0.2',
      for: '5m',
      severity: 'page',
      summary: 'Calls to {{ $labels.callee }} get no reply: {{ $value | humanize }} a second.',
    },
    {
      alert: 'UsageLost',
      expr: 'sum(increase(cds_request_log_dropped_total[15m])) > 0',
      severity: 'ticket',
      summary: '{{ $value | humanize }} answered requests are missing in the request log and in usage.',
    },
  ],
  database: [
    {
      alert: 'DatabaseWithoutPrimary',
      expr: 'min by (service) (cds_database_primary) == 0',
      for: '30s',
      severity: 'page',
      summary: '{{ $labels.service }} knows no primary of the database: every request that needs it gets 503.',
    },
    {
      alert: 'DatabaseConnectionsUsedUp',
      expr: 'max by (service) (cds_database_waiting) > 0 and max by (service) (cds_database_connections_used) >= 60',
      for: '2m',
      severity: 'page',
      summary: 'Statements of {{ $labels.service }} wait for a connection to the database.',
    },
    {
      alert: 'TransactionsFail',
      expr: `sum by (service) (rate(cds_transactions_total{outcome=~"busy|unknown"}[10m]))
/ sum by (service) (rate(cds_transactions_total[10m])) > 0.01`,
      for: '5m',
      severity: 'ticket',
      summary: '{{ $value | humanizePercentage }} of the transactions of {{ $labels.service }} get no result.',
    },
    {
      alert: 'ClocksApart',
      expr: 'max by (service) (abs(cds_database_clock_offset_seconds)) > 1',
      for: '5m',
      severity: 'ticket',
      summary:
        "The clock of a machine of {{ $labels.service }} is {{ $value | humanizeDuration }} from the database's.",
    },
  ],
  events: [
    {
      alert: 'BusDisconnected',
      expr: 'min by (service) (cds_bus_connected) == 0',
      for: '30s',
      severity: 'page',
      summary: 'A process of {{ $labels.service }} is not connected to NATS.',
    },
    {
      alert: 'BusIncomplete',
      expr: 'max(cds_bus_topology_in_place) == 0',
      for: '1m',
      severity: 'page',
      summary: 'Streams or durables are missing, or JetStream does not answer.',
    },
    {
      alert: 'ConsumersDetached',
      expr: 'max by (service) (cds_consumers_detached) > 0',
      for: '1m',
      severity: 'page',
      summary: 'No events arrive in {{ $labels.service }} from {{ $value }} of its durables.',
    },
    {
      alert: 'OutboxStuck',
      expr: 'max by (service) (cds_outbox_oldest_seconds) > 30',
      for: '1m',
      severity: 'page',
      summary: 'An event of {{ $labels.service }} has not been published for {{ $value | humanizeDuration }}.',
    },
    {
      alert: 'ConsumerBehind',
      expr: 'cds_consumer_pending + cds_consumer_unacknowledged > 1000',
      for: '10m',
      severity: 'ticket',
      summary: '{{ $labels.consumer }} is {{ $value }} events behind.',
    },
    {
      alert: 'EventsFail',
      expr: 'sum by (service, event) (rate(cds_event_failures_total{kind="failed"}[10m])) > 0',
      for: '10m',
      severity: 'ticket',
      summary: '{{ $labels.service }} fails to apply {{ $labels.event }}.',
    },
    {
      alert: 'DeadLettersLeft',
      expr: 'max by (service) (cds_dead_letters_waiting) > 0',
      for: '6h',
      severity: 'ticket',
      summary: '{{ $value }} dead letters of {{ $labels.service }} have been waiting for hours.',
    },
  ],
  work: [
    {
      alert: 'SweepsStopped',
      expr: 'sum by (service) (rate(cds_sweep_runs_total{outcome="done"}[5m])) == 0',
      for: '5m',
      severity: 'page',
      summary: 'No sweep of {{ $labels.service }} ends any more: what becomes due is not handled.',
    },
    {
      alert: 'SweepFails',
      expr: 'sum by (service, sweep) (increase(cds_sweep_runs_total{outcome="failed"}[15m])) > 3',
      severity: 'ticket',
      summary: 'The sweep {{ $labels.sweep }} of {{ $labels.service }} fails.',
    },
    {
      alert: 'AuditNotSealed',
      expr: 'max by (service) (cds_audit_unsealed_seconds) > 300',
      for: '5m',
      severity: 'ticket',
      summary:
        'Audit entries of {{ $labels.service }} have had no place in their chain for {{ $value | humanizeDuration }}.',
    },
  ],
  network: [
    {
      alert: 'SnapshotBehind',
      expr: 'min(cds_snapshot_answering) == 0',
      for: '1m',
      severity: 'ticket',
      summary: 'A catalog replica fell behind the database and does not answer.',
    },
    {
      alert: 'NoSnapshotAnswers',
      expr: 'max(cds_snapshot_answering) == 0',
      for: '30s',
      severity: 'page',
      summary: 'No catalog replica answers: creators can be neither listed nor bought.',
    },
  ],
  money: [
    {
      alert: 'HoldsOverdue',
      expr: 'max(cds_hold_overdue_seconds) > 30',
      for: '1m',
      severity: 'page',
      summary: 'A signing has been unfinished for {{ $value | humanizeDuration }}: its cents are held.',
    },
    {
      alert: 'PaymentEventsWait',
      expr: 'min_over_time(max(cds_payment_events_waiting{state="new"})[5m:15s]) > 0',
      severity: 'page',
      summary: 'Payment events are not applied.',
    },
  ],
});

/**
 * How urgent each alarm of the log is, and what it says.
 * @type {Readonly<Record<string, { severity: string, summary: string }>>}
 */
export const ALARM_ALERTS = {
  audit_chain_broken: {
    severity: 'page',
    summary: 'The audit of {{ $labels.service }} does not match its checkpoints.',
  },
  bus_topology_lost: { severity: 'ticket', summary: 'Streams or durables were lost and have been made again.' },
  dead_letter: { severity: 'ticket', summary: 'An event was set aside in {{ $labels.service }}.' },
  handle_enumeration: { severity: 'ticket', summary: 'Searches of a workspace spell out a handle letter by letter.' },
  handle_leak: { severity: 'ticket', summary: 'A text with a handle was kept from being shown.' },
  payment_quarantined: { severity: 'page', summary: 'A payment event does not fit its order.' },
  refund_refused: { severity: 'ticket', summary: 'A rail refused a repayment.' },
  signing_stuck: { severity: 'page', summary: 'A signing has not settled for ten minutes.' },
  signing_without_order: { severity: 'page', summary: 'A signed plan has no order of its own.' },
  stray_charge: { severity: 'page', summary: 'Money arrived for an order that was not awaiting it.' },
  sweep_row_stuck: { severity: 'ticket', summary: 'A row of a sweep of {{ $labels.service }} keeps failing.' },
  verdict_differs: { severity: 'page', summary: 'A verdict names another order or total than its hold.' },
};

/** @param {string} alarm */
export const alertOfAlarm = (alarm) =>
  alarm.replace(/(?:^|_)([a-z])/g, (_all, /** @type {string} */ letter) => letter.toUpperCase());

/**
 * An alert for each alarm of the log.
 * @param {readonly string[]} alarms
 * @returns {readonly Alert[]}
 */
export const alarmAlerts = (alarms) =>
  alarms.map((alarm) => ({
    alert: alertOfAlarm(alarm),
    expr: `sum by (service) (increase(cds_alarms_total{alarm="${alarm}"}[15m])) > 0`,
    ...ALARM_ALERTS[alarm],
  }));

import { BUS_ADMIN, events, SERVICES } from '@cds/contracts';
import { ALARMS } from '../logs/alarm-names.js';

/**
 * Every metric, as data, from which docs/metrics.md and the checks are derived. A counter ends in `_total`; a unit
 * other than a count is in the name.
 */

/** A label whose values are not known in advance; they come from declarations, never from what a caller sends. */
export const OPEN = 'open';

type Labels = Readonly<Record<string, typeof OPEN | readonly string[]>>;

/** What a metric is about: the headings of docs/metrics.md, in order. */
export const AREAS = [
  'Requests',
  'Keys and limits',
  'Events',
  'Database',
  'Background work',
  'Network',
  'Money',
  'Webhooks',
  'Process',
] as const;

/** `of` names the processes that serve it; `buckets` are bounds; `read` marks a counter that something else counts. */
export type DeclaredMetric = {
  area: (typeof AREAS)[number];
  kind: 'counter' | 'gauge' | 'histogram';
  of: readonly string[];
  labels: Labels;
  help: string;
  buckets?: readonly number[];
  read?: true;
};

const EVERY_PROCESS: readonly string[] = [...SERVICES, BUS_ADMIN];
const EVERY_SERVICE: readonly string[] = SERVICES;
/** The services that answer requests on the bus. */
const ANSWERING: readonly string[] = SERVICES.filter((service) => service !== 'gateway');

/** What the services tell each other; what one cannot read is counted as `unknown`. */
const EVENTS: readonly string[] = [...events.map(({ name }) => name), 'unknown'];

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];
const EVENT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800];

export const METRICS = {
  cds_http_requests_total: {
    area: 'Requests',
    kind: 'counter',
    of: ['gateway'],
    labels: { endpoint: OPEN, effect: ['read', 'write', 'other'], code: OPEN, reason: OPEN },
    help: 'HTTP requests answered, by operation or declared path, error code and reason. Simulated faults of a sandbox are other.',
  },
  cds_http_request_duration_seconds: {
    area: 'Requests',
    kind: 'histogram',
    of: ['gateway'],
    labels: { endpoint: OPEN, effect: ['read', 'write', 'other'] },
    help: 'Time from an HTTP request to its answer. Reads that may wait for events are other.',
    buckets: REQUEST_SECONDS,
  },
  cds_http_requests_running: {
    area: 'Requests',
    kind: 'gauge',
    of: ['gateway'],
    labels: {},
    help: 'HTTP requests that are running, without reads that may wait for events.',
  },
  cds_operations_total: {
    area: 'Requests',
    kind: 'counter',
    of: ANSWERING,
    labels: { operation: OPEN, code: OPEN, reason: OPEN },
    help: 'Operations that a service answered on the bus, by error code and reason.',
  },
  cds_operation_duration_seconds: {
    area: 'Requests',
    kind: 'histogram',
    of: ANSWERING,
    labels: { operation: OPEN },
    help: 'Time from a request on the bus to its reply.',
    buckets: REQUEST_SECONDS,
  },
  cds_requests_running: {
    area: 'Requests',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Requests from the bus that are running.',
  },
  cds_requests_refused_total: {
    area: 'Requests',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Requests from the bus that were refused because too many were running.',
  },
  cds_bus_calls_unanswered_total: {
    area: 'Requests',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: { callee: SERVICES, why: ['no_responder', 'timeout', 'lost'] },
    help: 'Tries of calls to another service that got no reply.',
  },

  cds_admissions_total: {
    area: 'Keys and limits',
    kind: 'counter',
    of: ['gateway'],
    labels: { by: ['remembered', 'read'] },
    help: 'Keys that requests counted on: remembered, or read because the minute or the key had changed.',
  },
  cds_window_counts_total: {
    area: 'Keys and limits',
    kind: 'counter',
    of: ['gateway'],
    labels: { outcome: ['counted', 'no_responder', 'timeout', 'lost', 'refused'] },
    help: 'Increments of the windows of requests, and of the epochs of keys. All but the first were answered 503.',
  },
  cds_meter_refusals_total: {
    area: 'Keys and limits',
    kind: 'counter',
    of: ['catalog'],
    labels: {
      reason: ['per_minute', 'locked', 'daily_lists', 'daily_reveals', 'daily_seen', 'daily_limit'],
      scope: ['key', 'parent', 'session', 'api', 'workspace'],
    },
    help: 'Creator reads and price requests that a read limit refused.',
  },
  cds_request_log_waiting: {
    area: 'Keys and limits',
    kind: 'gauge',
    of: ['gateway'],
    labels: {},
    help: 'Answered requests that wait to be written to the request log.',
  },
  cds_request_log_dropped_total: {
    area: 'Keys and limits',
    kind: 'counter',
    of: ['gateway'],
    labels: {},
    help: 'Answered requests that are missing in the request log and in usage.',
  },

  cds_outbox_waiting: {
    area: 'Events',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Events in the outbox that are not published; counted up to 10,000. Every replica reports the same.',
  },
  cds_outbox_oldest_seconds: {
    area: 'Events',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Age of the oldest event that is not published; 0 without one. Every replica reports the same.',
  },
  cds_event_publish_delay_seconds: {
    area: 'Events',
    kind: 'histogram',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Time from the commit of an event to the acknowledgement of its stream.',
    buckets: EVENT_SECONDS,
  },
  cds_event_delay_seconds: {
    area: 'Events',
    kind: 'histogram',
    of: EVERY_SERVICE,
    labels: { event: EVENTS },
    help: 'Time from the commit of an event to its effect in this service. Republished events are left out.',
    buckets: EVENT_SECONDS,
  },
  cds_event_failures_total: {
    area: 'Events',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: { event: EVENTS, kind: ['failed', 'waits'] },
    help: 'Tries to apply an event that failed, or that had to wait for something unavailable.',
  },
  cds_dead_letters_total: {
    area: 'Events',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: { reason: ['failed', 'unknown', 'malformed'] },
    help: 'Events set aside as dead letters.',
  },
  cds_dead_letters_waiting: {
    area: 'Events',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Dead letters that are not applied. Every replica reports the same.',
  },
  cds_events_republished_total: {
    area: 'Events',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Events that were republished.',
  },
  cds_consumers_detached: {
    area: 'Events',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Durables of this service that no events arrive from.',
  },
  cds_consumer_pending: {
    area: 'Events',
    kind: 'gauge',
    of: [BUS_ADMIN],
    labels: { stream: OPEN, consumer: OPEN },
    help: 'Events that a durable has not delivered yet: its lag.',
  },
  cds_consumer_unacknowledged: {
    area: 'Events',
    kind: 'gauge',
    of: [BUS_ADMIN],
    labels: { stream: OPEN, consumer: OPEN },
    help: 'Events that were delivered and not acknowledged; those that wait for a retry count.',
  },
  cds_consumer_redelivered: {
    area: 'Events',
    kind: 'gauge',
    of: [BUS_ADMIN],
    labels: { stream: OPEN, consumer: OPEN },
    help: 'Unacknowledged events that were delivered more than once.',
  },
  cds_stream_messages: {
    area: 'Events',
    kind: 'gauge',
    of: [BUS_ADMIN],
    labels: { stream: OPEN },
    help: 'Messages in a stream.',
  },
  cds_stream_bytes: {
    area: 'Events',
    kind: 'gauge',
    of: [BUS_ADMIN],
    labels: { stream: OPEN },
    help: 'What a stream stores.',
  },
  cds_bus_declared_again_total: {
    area: 'Events',
    kind: 'counter',
    of: [BUS_ADMIN],
    labels: {},
    help: 'Streams and durables that were missing and were created again.',
  },
  cds_bus_topology_in_place: {
    area: 'Events',
    kind: 'gauge',
    of: [BUS_ADMIN],
    labels: {},
    help: '1 while every stream and durable was found in place within the last seconds.',
  },
  cds_bus_connected: {
    area: 'Events',
    kind: 'gauge',
    of: EVERY_PROCESS,
    labels: {},
    help: '1 while the process is connected to NATS.',
  },
  cds_bus_disconnects_total: {
    area: 'Events',
    kind: 'counter',
    of: EVERY_PROCESS,
    labels: {},
    help: 'How often the connection to NATS was lost.',
  },

  cds_database_connections_used: {
    area: 'Database',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: { database: OPEN },
    help: 'Connections to MongoDB that a statement or transaction uses; 64 is the most.',
  },
  cds_database_waiting: {
    area: 'Database',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: { database: OPEN },
    help: 'Statements that wait for a connection to MongoDB.',
  },
  cds_database_primary: {
    area: 'Database',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: { database: OPEN },
    help: '1 while the process knows a primary of the replica set.',
  },
  cds_database_clock_offset_seconds: {
    area: 'Database',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: {},
    help: "The clock of this process's machine less that of the primary, as far as the round trip leaves no doubt.",
  },
  cds_transactions_total: {
    area: 'Database',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: { outcome: ['committed', 'aborted', 'busy', 'unknown'] },
    help: 'Transactions. Busy: given up after retries; unknown: the commit got no answer in time.',
  },
  cds_transaction_retries_total: {
    area: 'Database',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Tries of transactions that were repeated after a conflict or a failover.',
  },

  cds_sweep_runs_total: {
    area: 'Background work',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: { sweep: OPEN, outcome: ['done', 'failed', 'waits'] },
    help: 'Runs of sweeps. Waits: the database was unavailable.',
  },
  cds_sweep_row_failures_total: {
    area: 'Background work',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: { sweep: OPEN },
    help: 'Rows of sweeps that failed and will be retried.',
  },
  cds_sweep_row_waits_total: {
    area: 'Background work',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: { sweep: OPEN },
    help: 'Rows of sweeps that had to wait and will be retried.',
  },
  cds_alarms_total: {
    area: 'Background work',
    kind: 'counter',
    of: EVERY_PROCESS,
    labels: { alarm: ALARMS },
    help: 'Alarms in the log: each needs a person (docs/runbooks.md).',
  },
  cds_audit_findings_total: {
    area: 'Background work',
    kind: 'counter',
    of: EVERY_SERVICE,
    labels: {
      problem: [
        'edited',
        'dropped',
        'relinked',
        'rewritten',
        'truncated',
        'forged',
        'checkpoint_missing',
        'unreadable',
      ],
    },
    help: 'Places where the audit does not match its checkpoints.',
  },
  cds_audit_unsealed_seconds: {
    area: 'Background work',
    kind: 'gauge',
    of: EVERY_SERVICE,
    labels: {},
    help: 'Age of the oldest audit entry without a place in its chain; 0 without one. Every replica reports the same.',
  },

  cds_snapshot_lag_seconds: {
    area: 'Network',
    kind: 'gauge',
    of: ['catalog'],
    labels: {},
    help: 'How far the network in memory may be behind the database.',
  },
  cds_snapshot_answering: {
    area: 'Network',
    kind: 'gauge',
    of: ['catalog'],
    labels: {},
    help: '1 while this replica answers; 0 after it fell behind and until it was rebuilt.',
  },
  cds_snapshot_creators: {
    area: 'Network',
    kind: 'gauge',
    of: ['catalog'],
    labels: {},
    help: 'Creators in memory.',
  },
  cds_handle_leaks_blocked_total: {
    area: 'Network',
    kind: 'counter',
    of: ['catalog'],
    labels: {},
    help: 'Rows and creator pages blocked because they contained a handle or a link.',
  },
  cds_handle_enumeration_total: {
    area: 'Network',
    kind: 'counter',
    of: ['catalog'],
    labels: {},
    help: 'Workspaces whose searches extended each other letter by letter.',
  },

  cds_signings_total: {
    area: 'Money',
    kind: 'counter',
    of: ['billing'],
    labels: { outcome: ['ordered', 'refused', 'closed'], by: ['approve', 'recovery'] },
    help: 'Signings that ended, and who ended them.',
  },
  cds_holds: {
    area: 'Money',
    kind: 'gauge',
    of: ['billing'],
    labels: {},
    help: 'Keys with unfinished signings. Every replica reports the same.',
  },
  cds_hold_overdue_seconds: {
    area: 'Money',
    kind: 'gauge',
    of: ['billing'],
    labels: {},
    help: 'How long the longest hold has been without a runner; 0 without one. Every replica reports the same.',
  },
  cds_ledger_entries_total: {
    area: 'Money',
    kind: 'counter',
    of: ['billing'],
    labels: { kind: OPEN, rail: OPEN },
    help: 'Ledger entries.',
  },
  cds_ledger_cents_total: {
    area: 'Money',
    kind: 'counter',
    of: ['billing'],
    labels: { kind: OPEN, rail: OPEN },
    help: 'Cents of ledger entries, refunds as positive amounts; the rail tells live money from sandboxes.',
  },
  cds_payment_events_ignored_total: {
    area: 'Money',
    kind: 'counter',
    of: ['billing'],
    labels: { rail: OPEN },
    help: "Payment events that mean nothing here, such as those of other products on the rail's account.",
  },
  cds_payment_events_waiting: {
    area: 'Money',
    kind: 'gauge',
    of: ['billing'],
    labels: { state: ['new', 'parked'] },
    help: 'Payment events that are not applied. Every replica reports the same.',
  },

  cds_webhook_attempts_total: {
    area: 'Webhooks',
    kind: 'counter',
    of: ['gateway'],
    labels: { outcome: ['delivered', 'status', 'redirect', 'timeout', 'unreachable', 'not_allowed'] },
    help: "Attempts to deliver an event or a test to a brand's endpoint, by how they ended.",
  },
  cds_webhook_attempt_duration_seconds: {
    area: 'Webhooks',
    kind: 'histogram',
    of: ['gateway'],
    labels: {},
    help: 'Time from such an attempt to its end.',
    buckets: REQUEST_SECONDS,
  },
  cds_webhooks_disabled_total: {
    area: 'Webhooks',
    kind: 'counter',
    of: ['gateway'],
    labels: { because: ['gone', 'failing'] },
    help: 'Endpoints that were disabled: they answered 410, or failed for three days.',
  },

  cds_build_info: {
    area: 'Process',
    kind: 'gauge',
    of: EVERY_PROCESS,
    labels: { version: OPEN, node: OPEN },
    help: '1, with the version of the system and of Node.',
  },
  cds_process_cpu_seconds_total: {
    area: 'Process',
    kind: 'counter',
    of: EVERY_PROCESS,
    labels: {},
    help: 'Processor time of the process.',
    read: true,
  },
  cds_process_memory_bytes: {
    area: 'Process',
    kind: 'gauge',
    of: EVERY_PROCESS,
    labels: {},
    help: 'Resident memory of the process.',
  },
  cds_event_loop_busy_seconds_total: {
    area: 'Process',
    kind: 'counter',
    of: EVERY_PROCESS,
    labels: {},
    help: 'Time in which the event loop was not idle; its rate is the utilization.',
    read: true,
  },
} as const satisfies Record<string, DeclaredMetric>;

export type MetricName = keyof typeof METRICS;

export type MetricOf<Kind extends DeclaredMetric['kind']> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends Kind ? N : never;
}[MetricName];

export type LabelsOf<N extends MetricName> = {
  -readonly [L in keyof (typeof METRICS)[N]['labels']]: (typeof METRICS)[N]['labels'][L] extends readonly (infer V)[]
    ? V
    : string;
};

/** Every combination of a metric's label values; empty if a label's values are not known in advance. */
export const labelSets = ({ labels }: DeclaredMetric): Record<string, string>[] =>
  Object.entries(labels).reduce<Record<string, string>[]>(
    (sets, [label, values]) =>
      values === OPEN ? [] : sets.flatMap((set) => values.map((value) => ({ ...set, [label]: value }))),
    [{}],
  );

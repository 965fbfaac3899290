/** The dashboards: what to look at first, and where the causes are. */
import { ratioOf } from './slos.js';

/** @typedef {import('./grafana.js').Board} Board */

const OF_SERVICE = 'service=~"$service"';

/**
 * The value of a histogram below which a share of its measurements is.
 * @param {number} share
 * @param {string} metric
 * @param {string} labels
 * @param {string} [by]
 */
const quantile = (share, metric, labels = '', by = '') =>
  `histogram_quantile(${share}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket{${labels}}[$__rate_interval])))`;

/**
 * @param {string} metric
 * @param {string} labels
 * @param {string} [by]
 */
const rate = (metric, labels = '', by = '') =>
  `sum${by && ` by (${by})`} (rate(${metric}{${labels}}[$__rate_interval]))`;

/**
 * Requests, errors and durations, of the gateway and of each service behind it.
 * @param {readonly string[]} failures
 * @returns {Board}
 */
const overview = (failures) => {
  const faults = `code=~"${failures.join('|')}"`;
  const http = 'cds_http_requests_total';
  const seconds = 'cds_http_request_duration_seconds';
  return {
    uid: 'cds-overview',
    title: 'CDS: overview',
    about: 'Requests, errors and durations, of callers and of each service. Begin here.',
    rows: [
      {
        title: 'Promises',
        panels: [
          {
            title: 'Share that failed its promise, last 6 hours',
            about: 'Availability may fail 0.1 %, the others 1 %.',
            unit: 'percentunit',
            queries: [{ expr: ratioOf('6h'), legend: '{{slo}}' }],
          },
          {
            title: 'Share that failed its promise, last 5 minutes',
            unit: 'percentunit',
            queries: [{ expr: ratioOf('5m'), legend: '{{slo}}' }],
          },
          {
            title: 'Alerts that fire',
            type: 'table',
            queries: [{ expr: 'ALERTS{alertstate="firing"}' }],
          },
        ],
      },
      {
        title: 'Requests of callers',
        panels: [
          {
            title: 'Requests a second',
            unit: 'reqps',
            stacked: true,
            queries: [{ expr: rate(http, '', 'effect'), legend: '{{effect}}' }],
          },
          {
            title: 'Our faults a second',
            unit: 'reqps',
            stacked: true,
            queries: [{ expr: rate(http, faults, 'endpoint, code'), legend: '{{endpoint}} {{code}}' }],
          },
          {
            title: 'Durations',
            unit: 's',
            queries: [
              { expr: quantile(0.5, seconds, 'effect=~"read|write"', 'effect'), legend: '{{effect}} p50' },
              { expr: quantile(0.99, seconds, 'effect=~"read|write"', 'effect'), legend: '{{effect}} p99' },
            ],
          },
          {
            title: 'Busiest operations',
            unit: 'reqps',
            queries: [{ expr: `topk(10, ${rate(http, 'effect=~"read|write"', 'endpoint')})`, legend: '{{endpoint}}' }],
          },
          {
            title: 'Refusals by code and reason',
            unit: 'reqps',
            queries: [
              {
                expr: `topk(10, ${rate(http, `code!~"ok|${failures.join('|')}"`, 'code, reason')})`,
                legend: '{{code}} {{reason}}',
              },
            ],
          },
          {
            title: 'Slowest operations, p99',
            unit: 's',
            queries: [
              {
                expr: `topk(10, ${quantile(0.99, seconds, 'effect=~"read|write"', 'endpoint')})`,
                legend: '{{endpoint}}',
              },
            ],
          },
        ],
      },
      {
        title: 'Services',
        panels: [
          {
            title: 'Operations a second',
            unit: 'reqps',
            queries: [{ expr: rate('cds_operations_total', OF_SERVICE, 'service'), legend: '{{service}}' }],
          },
          {
            title: 'Our faults a second',
            unit: 'reqps',
            queries: [
              {
                expr: rate('cds_operations_total', `${OF_SERVICE},${faults}`, 'service, operation, code'),
                legend: '{{service}} {{operation}} {{code}}',
              },
            ],
          },
          {
            title: 'Durations, p99',
            unit: 's',
            queries: [
              { expr: quantile(0.99, 'cds_operation_duration_seconds', OF_SERVICE, 'service'), legend: '{{service}}' },
            ],
          },
          {
            title: 'Running requests',
            queries: [
              { expr: 'sum(cds_http_requests_running)', legend: 'HTTP' },
              { expr: `sum by (service) (cds_requests_running{${OF_SERVICE}})`, legend: '{{service}}' },
            ],
          },
          {
            title: 'Calls without a reply',
            unit: 'reqps',
            queries: [
              { expr: rate('cds_bus_calls_unanswered_total', '', 'callee, why'), legend: '{{callee}} {{why}}' },
              { expr: rate('cds_requests_refused_total', '', 'service'), legend: '{{service}} refused' },
            ],
          },
          {
            title: 'Network in memory',
            about: 'Over 5 s behind, a replica stops answering.',
            unit: 's',
            limit: 5,
            queries: [
              { expr: 'cds_snapshot_lag_seconds', legend: '{{instance}}' },
              { expr: 'count(cds_snapshot_answering == 0)', legend: 'replicas that do not answer' },
            ],
          },
        ],
      },
      {
        title: 'Processes',
        panels: [
          {
            title: 'Processor time',
            unit: 'percentunit',
            queries: [
              {
                expr: `sum by (service) (rate(cds_process_cpu_seconds_total{${OF_SERVICE}}[$__rate_interval]))`,
                legend: '{{service}}',
              },
            ],
          },
          {
            title: 'Event loops, busiest replica',
            unit: 'percentunit',
            limit: 0.9,
            queries: [
              {
                expr: `max by (service) (rate(cds_event_loop_busy_seconds_total{${OF_SERVICE}}[$__rate_interval]))`,
                legend: '{{service}}',
              },
            ],
          },
          {
            title: 'Memory, largest replica',
            unit: 'bytes',
            queries: [{ expr: `max by (service) (cds_process_memory_bytes{${OF_SERVICE}})`, legend: '{{service}}' }],
          },
          {
            title: 'Processes by version',
            queries: [{ expr: 'count by (service, version) (cds_build_info)', legend: '{{service}} {{version}}' }],
          },
          {
            title: 'Clock against the database',
            unit: 's',
            queries: [{ expr: 'max by (service) (abs(cds_database_clock_offset_seconds))', legend: '{{service}}' }],
          },
          {
            title: 'Creators in memory',
            queries: [{ expr: 'cds_snapshot_creators', legend: '{{instance}}' }],
          },
        ],
      },
    ],
  };
};

/** @type {Board} */
const events = {
  uid: 'cds-events',
  title: 'CDS: events and background work',
  about: 'Outboxes, streams, durables, dead letters, sweeps and alarms.',
  rows: [
    {
      title: 'Out',
      panels: [
        {
          title: 'Age of the oldest event that is not published',
          unit: 's',
          limit: 30,
          queries: [{ expr: `max by (service) (cds_outbox_oldest_seconds{${OF_SERVICE}})`, legend: '{{service}}' }],
        },
        {
          title: 'Events that wait',
          queries: [{ expr: `max by (service) (cds_outbox_waiting{${OF_SERVICE}})`, legend: '{{service}}' }],
        },
        {
          title: 'From commit to stream, p99',
          unit: 's',
          queries: [
            { expr: quantile(0.99, 'cds_event_publish_delay_seconds', OF_SERVICE, 'service'), legend: '{{service}}' },
          ],
        },
        {
          title: 'Events published again',
          unit: 'cps',
          queries: [{ expr: rate('cds_events_republished_total', '', 'service'), legend: '{{service}}' }],
        },
        {
          title: 'Messages in streams',
          queries: [{ expr: 'max by (stream) (cds_stream_messages)', legend: '{{stream}}' }],
        },
        {
          title: 'Stored by streams',
          unit: 'bytes',
          queries: [{ expr: 'max by (stream) (cds_stream_bytes)', legend: '{{stream}}' }],
        },
      ],
    },
    {
      title: 'In',
      panels: [
        {
          title: 'From commit to effect, p99',
          unit: 's',
          limit: 5,
          queries: [{ expr: quantile(0.99, 'cds_event_delay_seconds', OF_SERVICE, 'service'), legend: '{{service}}' }],
        },
        {
          title: 'Events applied',
          unit: 'cps',
          queries: [
            {
              expr: rate('cds_event_delay_seconds_count', OF_SERVICE, 'service, event'),
              legend: '{{service}} {{event}}',
            },
          ],
        },
        {
          title: 'Lag of durables',
          queries: [{ expr: 'max by (consumer) (cds_consumer_pending) > 0', legend: '{{consumer}}' }],
        },
        {
          title: 'Delivered and not acknowledged',
          queries: [
            { expr: 'max by (consumer) (cds_consumer_unacknowledged) > 0', legend: '{{consumer}}' },
            { expr: 'max by (consumer) (cds_consumer_redelivered) > 0', legend: '{{consumer}} again' },
          ],
        },
        {
          title: 'Tries that failed',
          unit: 'cps',
          queries: [
            {
              expr: rate('cds_event_failures_total', OF_SERVICE, 'service, event, kind'),
              legend: '{{service}} {{event}} {{kind}}',
            },
          ],
        },
        {
          title: 'Dead letters that wait',
          queries: [
            { expr: `max by (service) (cds_dead_letters_waiting{${OF_SERVICE}})`, legend: '{{service}}' },
            { expr: 'sum by (reason) (increase(cds_dead_letters_total[1h]))', legend: 'new in an hour: {{reason}}' },
          ],
        },
        {
          title: 'Durables without events',
          queries: [{ expr: 'max by (service) (cds_consumers_detached)', legend: '{{service}}' }],
        },
        {
          title: 'Streams and durables in place',
          queries: [
            { expr: 'max(cds_bus_topology_in_place)', legend: 'in place' },
            { expr: 'sum(increase(cds_bus_declared_again_total[1h]))', legend: 'made again in an hour' },
          ],
        },
      ],
    },
    {
      title: 'Background work',
      panels: [
        {
          title: 'Runs of sweeps',
          unit: 'cps',
          queries: [
            { expr: rate('cds_sweep_runs_total', OF_SERVICE, 'service, outcome'), legend: '{{service}} {{outcome}}' },
          ],
        },
        {
          title: 'Rows that failed',
          unit: 'cps',
          queries: [
            {
              expr: rate('cds_sweep_row_failures_total', OF_SERVICE, 'service, sweep'),
              legend: '{{service}} {{sweep}}',
            },
          ],
        },
        {
          title: 'Rows that wait',
          unit: 'cps',
          queries: [
            { expr: rate('cds_sweep_row_waits_total', OF_SERVICE, 'service, sweep'), legend: '{{service}} {{sweep}}' },
          ],
        },
        {
          title: 'Alarms in an hour',
          queries: [
            { expr: 'sum by (service, alarm) (increase(cds_alarms_total[1h])) > 0', legend: '{{service}} {{alarm}}' },
          ],
        },
        {
          title: 'Age of the oldest audit entry without a place',
          unit: 's',
          limit: 300,
          queries: [{ expr: 'max by (service) (cds_audit_unsealed_seconds)', legend: '{{service}}' }],
        },
        {
          title: 'Audit findings in a day',
          queries: [
            {
              expr: 'sum by (service, problem) (increase(cds_audit_findings_total[1d])) > 0',
              legend: '{{service}} {{problem}}',
            },
          ],
        },
      ],
    },
  ],
};

/** @type {Board} */
const engines = {
  uid: 'cds-engines',
  title: 'CDS: MongoDB and NATS',
  about: 'The engines as the processes see them.',
  rows: [
    {
      title: 'MongoDB',
      panels: [
        {
          title: 'A primary is known',
          queries: [
            {
              expr: `min by (service, database) (cds_database_primary{${OF_SERVICE}})`,
              legend: '{{service}} {{database}}',
            },
          ],
        },
        {
          title: 'Connections in use, busiest replica',
          limit: 64,
          queries: [
            {
              expr: `max by (service, database) (cds_database_connections_used{${OF_SERVICE}})`,
              legend: '{{service}} {{database}}',
            },
          ],
        },
        {
          title: 'Statements that wait for a connection',
          queries: [
            {
              expr: `max by (service, database) (cds_database_waiting{${OF_SERVICE}})`,
              legend: '{{service}} {{database}}',
            },
          ],
        },
        {
          title: 'Transactions',
          unit: 'cps',
          queries: [
            { expr: rate('cds_transactions_total', OF_SERVICE, 'service, outcome'), legend: '{{service}} {{outcome}}' },
          ],
        },
        {
          title: 'Tries that were repeated',
          unit: 'cps',
          queries: [{ expr: rate('cds_transaction_retries_total', OF_SERVICE, 'service'), legend: '{{service}}' }],
        },
        {
          title: 'Requests for each statement that authenticates them',
          about: 'Requests that arrive while a statement runs share the next one. Nothing is cached.',
          queries: [
            { expr: `${rate('cds_admissions_total')} / ${rate('cds_admission_statements_total')}`, legend: 'requests' },
            { expr: rate('cds_admission_statements_total', '', 'by'), legend: 'statements a second, {{by}}' },
          ],
        },
        {
          title: 'Request log',
          queries: [
            { expr: 'sum(cds_request_log_waiting)', legend: 'rows that wait' },
            { expr: 'sum(increase(cds_request_log_dropped_total[1h]))', legend: 'lost in an hour' },
          ],
        },
      ],
    },
    {
      title: 'NATS',
      panels: [
        {
          title: 'Connected',
          queries: [{ expr: `min by (service) (cds_bus_connected{${OF_SERVICE}})`, legend: '{{service}}' }],
        },
        {
          title: 'Lost connections in an hour',
          queries: [
            {
              expr: `sum by (service) (increase(cds_bus_disconnects_total{${OF_SERVICE}}[1h]))`,
              legend: '{{service}}',
            },
          ],
        },
        {
          title: 'Calls without a reply',
          unit: 'reqps',
          queries: [
            {
              expr: rate('cds_bus_calls_unanswered_total', OF_SERVICE, 'service, callee, why'),
              legend: '{{service}} to {{callee}}: {{why}}',
            },
          ],
        },
      ],
    },
  ],
};

/** @type {Board} */
const money = {
  uid: 'cds-money',
  title: 'CDS: money',
  about: 'Signings, holds, payments and refunds. The rail sandbox moves no money.',
  rows: [
    {
      title: 'Signing',
      panels: [
        {
          title: 'Signings that ended',
          unit: 'cps',
          queries: [{ expr: rate('cds_signings_total', '', 'outcome, by'), legend: '{{outcome}} by {{by}}' }],
        },
        {
          title: 'Approvals by answer',
          unit: 'reqps',
          queries: [
            {
              expr: rate('cds_http_requests_total', 'endpoint="approve_plan"', 'code, reason'),
              legend: '{{code}} {{reason}}',
            },
          ],
        },
        {
          title: 'Duration of an approval',
          unit: 's',
          queries: [0.5, 0.99].map((share) => ({
            expr: quantile(share, 'cds_http_request_duration_seconds', 'endpoint="approve_plan"'),
            legend: `p${share * 100}`,
          })),
        },
        {
          title: 'Longest hold without a runner',
          unit: 's',
          limit: 30,
          queries: [{ expr: 'max(cds_hold_overdue_seconds)', legend: 'seconds' }],
        },
        { title: 'Keys with unfinished signings', queries: [{ expr: 'max(cds_holds)', legend: 'keys' }] },
        {
          title: 'Refused by a read limit',
          unit: 'reqps',
          queries: [{ expr: rate('cds_meter_refusals_total', '', 'reason, scope'), legend: '{{reason}} of {{scope}}' }],
        },
      ],
    },
    {
      title: 'Webhooks',
      panels: [
        {
          title: 'Attempts by outcome',
          unit: 'reqps',
          queries: [{ expr: rate('cds_webhook_attempts_total', '', 'outcome'), legend: '{{outcome}}' }],
        },
        {
          title: 'Time of an attempt',
          unit: 's',
          queries: [{ expr: quantile(0.99, 'cds_webhook_attempt_duration_seconds'), legend: 'p99' }],
        },
        {
          title: 'Endpoints disabled in an hour',
          queries: [
            { expr: 'sum by (because) (increase(cds_webhooks_disabled_total[1h])) > 0', legend: '{{because}}' },
          ],
        },
      ],
    },
    {
      title: 'Payment',
      panels: [
        {
          title: 'Ledger entries in an hour',
          queries: [
            { expr: 'sum by (rail, kind) (increase(cds_ledger_entries_total[1h])) > 0', legend: '{{rail}} {{kind}}' },
          ],
        },
        {
          title: 'Dollars in an hour, without sandboxes',
          unit: 'currencyUSD',
          queries: [
            {
              expr: 'sum by (rail, kind) (increase(cds_ledger_cents_total{rail!="sandbox"}[1h])) / 100 > 0',
              legend: '{{rail}} {{kind}}',
            },
          ],
        },
        {
          title: 'Payment events that wait',
          queries: [{ expr: 'max by (state) (cds_payment_events_waiting)', legend: '{{state}}' }],
        },
        {
          title: 'Payment events of other products',
          queries: [{ expr: rate('cds_payment_events_ignored_total', '', 'rail'), legend: '{{rail}}' }],
        },
        {
          title: 'Callbacks of rails',
          unit: 'reqps',
          queries: [{ expr: rate('cds_operations_total', 'operation="rail_event"', 'code'), legend: '{{code}}' }],
        },
        {
          title: 'Alarms about money in a day',
          queries: [
            {
              expr: 'sum by (alarm) (increase(cds_alarms_total{alarm=~"payment_.*|refund_.*|signing_.*|stray_charge|verdict_differs"}[1d])) > 0',
              legend: '{{alarm}}',
            },
          ],
        },
        {
          title: 'Texts with handles that were blocked, and searches that spell',
          queries: [
            { expr: 'sum(increase(cds_handle_leaks_blocked_total[1d]))', legend: 'blocked in a day' },
            { expr: 'sum(increase(cds_handle_enumeration_total[1d]))', legend: 'spelling in a day' },
          ],
        },
      ],
    },
  ],
};

/**
 * Every board by the name of its file.
 * @param {readonly string[]} failures the error codes that are our fault
 * @returns {Readonly<Record<string, Board>>}
 */
export const boards = (failures) => ({ overview: overview(failures), events, engines, money });

import { type Key, operationByName, type RequestLog, type Transport } from '@cds/contracts';
import { type UsageDay, usageChart } from '../foundation/bar-chart.js';
import { ago, moment, number } from '../foundation/format.js';

const RANGES = [7, 30, 90] as const;
type Range = (typeof RANGES)[number];

type UsageFilter = { days: Range; keyId: string; show: 'all' | 'errors'; cursor: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the filter from an address; what it does not know is the default. */
export const usageFilter = (value: (name: string) => string): UsageFilter => ({
  days: RANGES.find((days) => String(days) === value('days')) ?? 30,
  keyId: UUID.test(value('key')) ? value('key') : '',
  show: value('show') === 'errors' ? 'errors' : 'all',
  cursor: value('cursor'),
});

export const usageHref = (filter: UsageFilter, change: Partial<UsageFilter>): string => {
  const { days, keyId, show, cursor } = { ...filter, cursor: '', ...change };
  const query = new URLSearchParams();
  if (days !== 30) query.set('days', String(days));
  if (keyId !== '') query.set('key', keyId);
  if (show !== 'all') query.set('show', show);
  if (cursor !== '') query.set('cursor', cursor);
  return query.size === 0 ? '/developers/usage' : `/developers/usage?${query}`;
};

type Row = RequestLog['requests'][number];

const TRANSPORTS: Readonly<Record<Transport, string>> = { rest: 'REST', mcp: 'MCP', app: 'This application' };

const MANDATE_REASON = /^(no_mandate|mandate_expired|channel_not_allowed|approval_not_allowed|over_)/;

/** Where a refusal leads: to what can be changed, or null when there is nothing to change. */
const remedyOf = (row: Row): { href: string; label: string } | null => {
  const key = `/developers/keys/${row.key_id}`;
  if (row.reason === 'terms_not_accepted') return { href: `${key}/terms`, label: 'Read and accept the terms' };
  if (row.reason !== null && MANDATE_REASON.test(row.reason))
    return { href: `${key}#mandate`, label: 'Look at the mandate' };
  if (row.code === 'forbidden') return { href: `${key}#settings`, label: 'Look at what the key may do' };
  return null;
};

const kindOf = (status: number): 'good' | 'warn' | 'bad' =>
  status < 400 ? 'good' : status === 429 || status >= 500 ? 'warn' : 'bad';

const titleOf = (row: Row): string =>
  (row.operation === null ? undefined : operationByName(row.operation)?.tool?.title) ??
  row.operation ??
  'Unknown request';

export const requestRow = (row: Row, opensKeys: boolean, now: Date) => ({
  id: row.id,
  ago: ago(row.at, now),
  moment: moment(row.at),
  title: titleOf(row),
  line: row.door === 'mcp' ? `MCP ${row.operation ?? ''}`.trim() : `${row.method} ${row.path}`,
  transport: TRANSPORTS[row.door],
  key: row.key_name,
  keyHref: opensKeys ? `/developers/keys/${row.key_id}` : null,
  state: {
    kind: kindOf(row.status),
    label: row.reason === null && row.code === null ? String(row.status) : `${row.status} ${row.reason ?? row.code}`,
  },
  took: `${number(Math.round(row.duration_ms))} ms`,
  requestId: row.request_id,
  remedy: opensKeys ? remedyOf(row) : null,
});

/** The page of usage; `keys` are those of the workspace, null for somebody who may not see them. */
export const usageModel = (
  filter: UsageFilter,
  usage: { days: readonly UsageDay[]; total: number; errors: number },
  log: RequestLog,
  keys: readonly Pick<Key, 'id' | 'name'>[] | null,
  now: Date,
) => {
  const rows = log.requests.filter(({ status }) => filter.show === 'all' || status >= 400);
  return {
    filter,
    figures: [
      { label: `Requests in ${filter.days} days`, value: number(usage.total) },
      { label: 'Errors', value: number(usage.errors) },
      {
        label: 'Answered',
        value: usage.total === 0 ? '–' : `${((1 - usage.errors / usage.total) * 100).toFixed(1)} %`,
      },
    ],
    chart: usageChart(usage.days, `Requests per day in the last ${filter.days} days`),
    ranges: {
      label: 'Days',
      items: RANGES.map((days) => ({
        href: usageHref(filter, { days }),
        label: `${days} days`,
        current: days === filter.days,
      })),
    },
    shows: {
      label: 'Requests',
      items: [
        { href: usageHref(filter, { show: 'all' }), label: 'All', current: filter.show === 'all' },
        { href: usageHref(filter, { show: 'errors' }), label: 'Errors', current: filter.show === 'errors' },
      ],
    },
    keyField:
      keys === null
        ? null
        : {
            name: 'key',
            label: 'Key',
            value: filter.keyId,
            options: [{ value: '', label: 'All keys' }, ...keys.map(({ id, name }) => ({ value: id, label: name }))],
          },
    requests: { caption: 'Requests, newest first', rows: rows.map((row) => requestRow(row, keys !== null, now)) },
    pages: {
      first: filter.cursor === '' ? null : usageHref(filter, {}),
      next: log.next === null ? null : usageHref(filter, { cursor: log.next }),
    },
  };
};

import type { Judged } from './judge.js';
import type { FuzzRequest } from './requests.js';

/** What was sent, how it was answered, and what took longest. */
export type Statistics = {
  add: (request: FuzzRequest, answer: Judged, ms: number) => void;
  statuses: () => number[];
  report: () => string;
};

const DEAREST = 8;

type Row = { sent: number; ok: number; ms: number };

export const statisticsOf = (): Statistics => {
  const statuses = new Map<number, number>();
  const rows = new Map<string, Row>();
  return {
    add: ({ operation }, { status, text }, ms) => {
      const isOk = status < 300 && !text.startsWith('{"jsonrpc":"2.0","error"') && !text.includes('"isError":true');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const row = rows.get(operation) ?? { sent: 0, ok: 0, ms: 0 };
      rows.set(operation, { sent: row.sent + 1, ok: row.ok + (isOk ? 1 : 0), ms: row.ms + ms });
    },
    statuses: () => [...statuses.keys()],
    report: () => {
      const all = [...rows];
      const sent = all.reduce((sum, [, row]) => sum + row.sent, 0);
      const never = all.filter(([, { ok }]) => ok === 0).map(([name]) => name);
      const dearest = all.sort(([, one], [, other]) => other.ms - one.ms).slice(0, DEAREST);
      return [
        `${sent} requests, ${JSON.stringify(Object.fromEntries(statuses))}`,
        `no success: ${never.join(', ') || 'none'}`,
        `longest: ${dearest.map(([name, row]) => `${name} ${Math.round(row.ms / row.sent)} ms of ${row.sent}`).join(', ')}`,
      ].join('; ');
    },
  };
};

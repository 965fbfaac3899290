import type { Judged } from './judge.js';
import type { FuzzRequest } from './requests.js';

/** What was sent, how it was answered, and what took longest. */
export type Statistics = {
  add: (request: FuzzRequest, answer: Judged, ms: number) => void;
  statuses: () => number[];
  /** The operations that were never answered with success. */
  neverOk: () => string[];
  report: () => string;
};

const DEAREST = 8;
/** How many refusals of an operation are named. */
const REFUSALS = 3;

type Row = { sent: number; ok: number; ms: number; refusals: Map<string, number> };

/** What a refusal says, in a word or two: its reason, the first field that is wrong, or its code. */
const refusalIn = (text: string): string => {
  const plain = text.replaceAll('\\"', '"');
  for (const said of [/"reason":"(\w+)"/, /"field":"([^"]+)"/, /"code":"(\w+)"/]) {
    const [, word] = said.exec(plain) ?? [];
    if (word !== undefined) return word;
  }
  return 'a refusal without words';
};

/** The most frequent refusals of an operation. */
const mostOf = ({ refusals }: Row): string =>
  [...refusals]
    .sort(([, one], [, other]) => other - one)
    .slice(0, REFUSALS)
    .map(([refusal, times]) => `${times} ${refusal}`)
    .join(', ');

export const statisticsOf = (): Statistics => {
  const statuses = new Map<number, number>();
  const rows = new Map<string, Row>();
  return {
    neverOk: () => [...rows].filter(([, { ok }]) => ok === 0).map(([name]) => name),
    add: ({ operation }, { status, text }, ms) => {
      const isOk = status < 300 && !text.startsWith('{"jsonrpc":"2.0","error"') && !text.includes('"isError":true');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const row = rows.get(operation) ?? { sent: 0, ok: 0, ms: 0, refusals: new Map() };
      const refusal = `${status} ${refusalIn(text)}`;
      if (!isOk) row.refusals.set(refusal, (row.refusals.get(refusal) ?? 0) + 1);
      rows.set(operation, { ...row, sent: row.sent + 1, ok: row.ok + (isOk ? 1 : 0), ms: row.ms + ms });
    },
    statuses: () => [...statuses.keys()],
    report: () => {
      const all = [...rows];
      const sent = all.reduce((sum, [, row]) => sum + row.sent, 0);
      const never = all.filter(([, { ok }]) => ok === 0).map(([name, row]) => `${name} (${mostOf(row)})`);
      const dearest = all.sort(([, one], [, other]) => other.ms - one.ms).slice(0, DEAREST);
      return [
        `${sent} requests, ${JSON.stringify(Object.fromEntries(statuses))}`,
        `no success: ${never.join(', ') || 'none'}`,
        `longest: ${dearest.map(([name, row]) => `${name} ${Math.round(row.ms / row.sent)} ms of ${row.sent}`).join(', ')}`,
      ].join('; ');
    },
  };
};

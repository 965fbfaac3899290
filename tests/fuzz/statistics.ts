import type { Judged } from './judge.js';
import type { FuzzRequest } from './requests.js';

export type Statistics = {
  add: (request: FuzzRequest, answer: Judged) => void;
  statuses: () => number[];
  report: () => string;
};

export const statisticsOf = (): Statistics => {
  const statuses = new Map<number, number>();
  const succeeded = new Map<string, boolean>();
  return {
    add: ({ operation }, { status, text }) => {
      const isOk = status < 300 && !text.startsWith('{"jsonrpc":"2.0","error"') && !text.includes('"isError":true');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      succeeded.set(operation, isOk || succeeded.get(operation) === true);
    },
    statuses: () => [...statuses.keys()],
    report: () => {
      const never = [...succeeded].filter(([, ok]) => !ok).map(([name]) => name);
      return `${JSON.stringify(Object.fromEntries(statuses))}; no success: ${never.join(', ') || 'none'}`;
    },
  };
};

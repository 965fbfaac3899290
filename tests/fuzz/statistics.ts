import type { Judged } from './judge.js';
import type { FuzzRequest } from './requests.js';

/** How often each status was answered, and which operations never succeeded. */
export const statisticsOf = () => {
  const statuses = new Map<number, number>();
  const succeeded = new Map<string, boolean>();
  return {
    add: ({ operation }: FuzzRequest, { status, text }: Judged): void => {
      const isOk = status < 300 && !text.startsWith('{"jsonrpc":"2.0","error"') && !text.includes('"isError":true');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      succeeded.set(operation, isOk || succeeded.get(operation) === true);
    },
    statuses: (): number[] => [...statuses.keys()],
    report: (): string => {
      const never = [...succeeded].filter(([, ok]) => !ok).map(([name]) => name);
      return `${JSON.stringify(Object.fromEntries(statuses))}; no success: ${never.join(', ') || 'none'}`;
    },
  };
};

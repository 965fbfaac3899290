import type { AuditedEntry } from './books.js';

export type Sealed = { ws: string; action: string; object: string };

export const actsOfLedger = (ledger: readonly AuditedEntry[]): string[] =>
  ledger.map(({ ws, order_id, kind }) => `${ws} ${kind === 'signed' ? 'order.signed' : `ledger.${kind}`} ${order_id}`);

/** I53: the acts that have fewer audit entries than they happened, each in a sentence. */
export const withoutEntry = (acts: readonly string[], entries: readonly Sealed[]): string[] => {
  const found = countsOf(entries.map(({ ws, action, object }) => `${ws} ${action} ${object}`));
  return [...countsOf(acts)]
    .filter(([act, times]) => (found.get(act) ?? 0) < times)
    .map(([act, times]) => `I53: ${act} happened ${times} times and has ${found.get(act) ?? 0} audit entries`);
};

const countsOf = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

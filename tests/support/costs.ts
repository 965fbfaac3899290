import type { Store } from '@cds/service';
import { expect } from '@jest/globals';

/** What a request cost: statements sorted by name, bus calls in the order they were sent. */
export type Cost = { commands: string[]; calls: string[] };

/** Reads run in parallel, so only their names have an order. */
export const inOrder = (names: readonly string[]): string[] =>
  [...names].sort((one, other) => one.localeCompare(other));

/** Expects a cost; `page` is what docs/reliability.md#round-trips says of the path. */
export const expectCost = (cost: Cost, of: { page: number; commands: readonly string[]; calls: string[] }): void => {
  expect(cost).toEqual({ commands: inOrder(of.commands), calls: of.calls });
  expect(cost.commands.length).toBe(of.page);
};

type Started = Parameters<Parameters<Store['onCommand']>[0]>[0];

const QUIET: ReadonlySet<string> = new Set(['hello', 'ping', 'endSessions', 'isMaster']);

/** A command of a service to the database as `billing orders.update`; null for what the driver sends by itself. */
export const notedStatement = (service: string, { commandName, command }: Started): string | null => {
  if (QUIET.has(commandName)) return null;
  const { [commandName]: collection, updates } = command as Record<string, unknown> & { updates?: { u?: object }[] };
  const pulls = JSON.stringify(updates?.[0]?.u ?? {}).startsWith('{"$pull"');
  return `${service} ${typeof collection === 'string' ? `${collection}.` : ''}${pulls ? 'clean_up' : commandName}`;
};

import type { mongo } from 'mongoose';

/**
 * Commands that need no `maxTimeMS`: the driver's handshake, bounded by `connectTimeoutMS`; later batches, which the
 * server bounds by the time of their first command; and the driver's own cleanup, which nobody waits for (`in-tx.ts`
 * waits a moment for an abort).
 */
const EXEMPT = new Set([
  'hello',
  'ismaster',
  'saslStart',
  'saslContinue',
  'getMore',
  'killCursors',
  'endSessions',
  'abortTransaction',
]);

/** What is wrong with a command that is about to be sent: null, or that it has no time limit. */
const problemOf = ({ commandName, command }: mongo.CommandStartedEvent): string | null => {
  if (typeof command['maxTimeMS'] === 'number' && command['maxTimeMS'] > 0) return null;
  if (EXEMPT.has(commandName)) return null;
  const target: unknown = command[commandName];
  return `${commandName} of ${typeof target === 'string' ? target : 'the database'} was sent without maxTimeMS`;
};

/** For tests, because the driver emits command events only when configured to: fails what has no time limit. */
export const checkCommands = (client: mongo.MongoClient, onProblem: (problem: string) => void): void => {
  client.on('commandStarted', (event) => {
    const problem = problemOf(event);
    if (problem === null) return;
    onProblem(problem);
    throw new Error(`${problem}. Use Store.collection, which bounds each operation.`);
  });
};

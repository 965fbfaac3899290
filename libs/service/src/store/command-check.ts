import type { mongo } from 'mongoose';

/**
 * Commands that carry no `maxTimeMS`, each for a reason: the driver's handshake, which `connectTimeoutMS` bounds; later
 * batches, which the server holds to the time of their first command; and the driver's own clearing up, which nobody
 * waits for (`in-tx.ts` waits a moment for an abort).
 */
const WITHOUT = new Set([
  'hello',
  'ismaster',
  'saslStart',
  'saslContinue',
  'getMore',
  'killCursors',
  'endSessions',
  'abortTransaction',
]);

/** What is wrong with a command as it goes to the server: nothing, or that no time is set for it. */
const problemOf = ({ commandName, command }: mongo.CommandStartedEvent): string | null => {
  if (typeof command['maxTimeMS'] === 'number' && command['maxTimeMS'] > 0) return null;
  if (WITHOUT.has(commandName)) return null;
  const target: unknown = command[commandName];
  return `${commandName} of ${typeof target === 'string' ? target : 'the database'} was sent without maxTimeMS`;
};

/**
 * Refuses every command that has no time: it fails before it leaves this process, and `onProblem` is told. For tests,
 * since the driver makes its events only when asked to.
 */
export const checkCommands = (client: mongo.MongoClient, onProblem: (problem: string) => void): void => {
  client.on('commandStarted', (event) => {
    const problem = problemOf(event);
    if (problem === null) return;
    onProblem(problem);
    throw new Error(`${problem}. Make collections by Store.collection, which bounds each operation.`);
  });
};

import type { mongo } from 'mongoose';

/** The handshake, later batches and the driver's cleanup: bounded otherwise, or nobody waits for them. */
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

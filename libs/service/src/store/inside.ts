import { AsyncLocalStorage } from 'node:async_hooks';
import type { mongo } from 'mongoose';

/** The body of a transaction. It closes when the body settles, so that whatever the body left running is outside again. */
type Body = { open: boolean };

const bodies = new AsyncLocalStorage<Body>();

/** Whether the caller runs inside a transaction, where no other I/O may happen. */
export const insideTransaction = (): boolean => bodies.getStore()?.open === true;

/** Runs the body of a transaction; until it settles, all it calls is inside. */
export const runInside = async <T>(work: () => Promise<T>): Promise<T> => {
  const body = { open: true };
  try {
    return await bodies.run(body, work);
  } finally {
    body.open = false;
  }
};

/**
 * Makes a client refuse every statement, reads included, that is sent inside a transaction without its session: such a
 * statement sees another state, outlives an abort and can wait for its own transaction's locks. The driver starts a
 * session for each command and cursor that was given none, so this one method sees them all.
 */
export const refuseUnsessioned = (client: mongo.MongoClient): void => {
  const startSession = client.startSession.bind(client);
  client.startSession = (options) => {
    if (insideTransaction())
      throw new Error(
        'A statement inside a transaction was sent without its session. Pass tx.options(), or run it before or after.',
      );
    return startSession(options);
  };
};

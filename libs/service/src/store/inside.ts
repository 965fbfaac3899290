import { AsyncLocalStorage } from 'node:async_hooks';
import type { mongo } from 'mongoose';

/** The body of a transaction. It is closed when the body ends, so that whatever it left running counts as outside. */
type Body = { open: boolean };

const bodies = new AsyncLocalStorage<Body>();

/** Whether the caller runs inside a transaction, where no other I/O is allowed. */
export const insideTransaction = (): boolean => bodies.getStore()?.open === true;

export const runInside = async <T>(work: () => Promise<T>): Promise<T> => {
  const body = { open: true };
  try {
    return await bodies.run(body, work);
  } finally {
    body.open = false;
  }
};

/**
 * Refuses statements inside a transaction without its session, reads too: they see another state and survive an abort.
 * The driver starts a session for each, so overriding this method catches them all.
 */
export const refuseUnsessioned = (client: mongo.MongoClient): void => {
  const startSession = client.startSession.bind(client);
  client.startSession = (options) => {
    if (insideTransaction())
      throw new Error(
        'A statement inside a transaction was sent without its session. Pass tx.options(), or run it outside.',
      );
    return startSession(options);
  };
};

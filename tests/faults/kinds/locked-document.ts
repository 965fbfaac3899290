import { setTimeout as delay } from 'node:timers/promises';
import { type ClientSession, MongoError } from 'mongodb';
import type { Agent } from '../agent.js';
import { DOCUMENT, type System } from '../system.js';
import type { FaultKind } from './fault.js';

/** The server ends transactions that are open longer (`transactionLifetimeLimitSeconds`). */
const LIFETIME_MS = 6_000;
/** The server looks for transactions that are too old only now and then. */
const ENDED_MS = 3 * LIFETIME_MS;
/** The share of locks that last until the server ends them, as those of a client that hangs. */
const WHOLE_LIFETIME = 1 / 3;
const PROBE_EVERY_MS = 200;

const DOCUMENTS = {
  key: { service: 'gateway', collection: 'keys', of: (agent: Agent) => ({ key_id: agent.keyId }) },
  authority: { service: 'billing', collection: 'authority', of: (agent: Agent) => ({ _id: agent.keyId }) },
  /** The plan that it edits and signs: its newest. */
  plan: { service: 'planning', collection: 'plans', of: (agent: Agent) => ({ ws: agent.workspace }) },
} as const;
type Document = keyof typeof DOCUMENTS;

/**
 * A foreign client holds a document of an agent in an open transaction. Keys of other brands have to stay fast, and the
 * agent's own key is answered again soon after the transaction has ended.
 */
export const lockedDocument: FaultKind = {
  limits: { others: 1_000, locked: 2_000 },
  draw: (random) => {
    const wanted = random.pick(Object.keys(DOCUMENTS) as Document[]);
    const share = random.next();
    const forMs = random.next() < WHOLE_LIFETIME ? ENDED_MS : random.between(1_000, LIFETIME_MS - 1_000);
    return {
      target: DOCUMENT,
      inflict: async (system) => {
        const agent = system.anAgent(share);
        const { secret } = agent;
        const session = system.databases.client.startSession();
        // An agent that has not signed or planned yet has its key alone.
        const locked = (await lock(system, session, wanted, agent)) ? wanted : 'key';
        if (locked !== wanted && !(await lock(system, session, locked, agent)))
          throw new Error('no agent has a key yet');
        const end = performance.now() + forMs;

        const recovery = async () => {
          const others: number[] = [];
          try {
            while (performance.now() < end && (await isOpen(system, session))) {
              others.push(await system.read());
              await delay(PROBE_EVERY_MS);
            }
            // The last read may have outlasted the lock.
            if (forMs === ENDED_MS && (await isOpen(system, session)))
              throw new Error('the server never ended the transaction');
          } finally {
            await session.abortTransaction().catch(() => undefined); // The server may have ended it before.
            await session.endSession();
          }
          return { others, locked: [await system.read(secret)] };
        };
        return { hit: locked, recovery };
      },
    };
  },
};

/**
 * Takes the document in a transaction that stays open; false when there is none. It tries until nobody else holds the
 * document, and a primary is there when one is missing.
 */
const lock = async ({ databases }: System, session: ClientSession, name: Document, agent: Agent): Promise<boolean> => {
  const { service, collection, of } = DOCUMENTS[name];
  const rows = databases.of(service).collection<{ _id: string }>(collection);
  const newest = await rows.findOne(of(agent), { sort: { sent_at: -1 } });
  if (newest === null) return false;
  for (;;) {
    session.startTransaction();
    try {
      await rows.updateOne({ _id: newest._id }, { $set: { locked: true } }, { session });
      return true;
    } catch (error) {
      await session.abortTransaction().catch(() => undefined);
      if (!(error instanceof MongoError && error.hasErrorLabel('TransientTransactionError'))) throw error;
    }
  }
};

/** Whether the server still holds the transaction; one whose primary is gone is gone with it. */
const isOpen = async ({ databases }: System, session: ClientSession): Promise<boolean> => {
  const open = databases.client
    .db('admin')
    .aggregate([
      { $currentOp: { allUsers: true, idleSessions: true } },
      { $match: { 'lsid.id': session.id?.id, transaction: { $exists: true } } },
    ]);
  return open.toArray().then(
    ({ length }) => length > 0,
    () => false,
  );
};

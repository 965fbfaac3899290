import type { Store, Tx } from '@cds/service';
import type { mongo } from 'mongoose';

export const NETWORK_STATE = 'network_state';

/** The network that the generator last loaded; `done_at` is null while a load runs. */
export type LoadedNetwork = { creators: number; seed: number; as_of: Date; done: boolean };

export type NetworkStateDoc = { _id: 'network'; version: number; loaded: LoadedNetwork | null };

/**
 * Adds one to the network's version inside the transaction that changes creators, and answers it. Transactions that do
 * so conflict with each other, so versions become visible in their order and a follower misses none.
 */
export const nextVersion = async (rows: mongo.Collection<NetworkStateDoc>, tx: Tx): Promise<number> => {
  const state = await rows.findOneAndUpdate(
    { _id: 'network' },
    { $inc: { version: 1 }, $setOnInsert: { loaded: null } },
    { ...tx.options(), upsert: true, returnDocument: 'after' },
  );
  return state?.version ?? 1;
};

/** The version of the network, by which replicas follow, and what was generated. */
export class NetworkState {
  private readonly rows: mongo.Collection<NetworkStateDoc>;

  constructor(store: Store) {
    this.rows = store.collection<NetworkStateDoc>({ name: NETWORK_STATE });
  }

  async read(): Promise<{ version: number; loaded: LoadedNetwork | null }> {
    return (await this.rows.findOne({ _id: 'network' })) ?? { version: 0, loaded: null };
  }

  async next(): Promise<number> {
    const state = await this.rows.findOneAndUpdate(
      { _id: 'network' },
      { $inc: { version: 1 }, $setOnInsert: { loaded: null } },
      { upsert: true, returnDocument: 'after' },
    );
    return state?.version ?? 1;
  }

  /** The network's next version, inside the transaction that changes creators. */
  nextIn(tx: Tx): Promise<number> {
    return nextVersion(this.rows, tx);
  }

  async setLoaded(loaded: LoadedNetwork): Promise<void> {
    await this.rows.updateOne({ _id: 'network' }, { $set: { loaded }, $setOnInsert: { version: 0 } }, { upsert: true });
  }
}

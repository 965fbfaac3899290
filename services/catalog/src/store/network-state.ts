import type { Collection, Store, Tx } from '@cds/service';

export const NETWORK_STATE = 'network_state';

export type LoadedNetwork = { creators: number; seed: number; as_of: Date; done: boolean };

/** `launches_rev` counts changes of the list of launches; absent before the first. */
export type NetworkStateDoc = {
  _id: 'network';
  version: number;
  loaded: LoadedNetwork | null;
  launches_rev?: number;
};

/** Transactions that change creators conflict here, so versions become visible in order and no replica misses one. */
export const nextState = async (
  rows: Collection<NetworkStateDoc>,
  tx?: Tx,
): Promise<{ version: number; launchesRev: number }> => {
  const state = await rows.findOneAndUpdate(
    { _id: 'network' },
    { $inc: { version: 1 }, $setOnInsert: { loaded: null } },
    { ...tx?.options(), upsert: true, returnDocument: 'after' },
  );
  return { version: state?.version ?? 1, launchesRev: state?.launches_rev ?? 0 };
};

export const nextVersion = async (rows: Collection<NetworkStateDoc>, tx: Tx): Promise<number> =>
  (await nextState(rows, tx)).version;

/** An import that read the old list starts over. */
export const launchesChanged = async (rows: Collection<NetworkStateDoc>, tx: Tx): Promise<void> => {
  await rows.updateOne(
    { _id: 'network' },
    { $inc: { launches_rev: 1 }, $setOnInsert: { version: 0, loaded: null } },
    { ...tx.options(), upsert: true },
  );
};

export class NetworkState {
  private readonly rows: Collection<NetworkStateDoc>;

  constructor(store: Store) {
    this.rows = store.collection<NetworkStateDoc>({ name: NETWORK_STATE });
  }

  async read(): Promise<{ version: number; loaded: LoadedNetwork | null }> {
    return (await this.rows.findOne({ _id: 'network' })) ?? { version: 0, loaded: null };
  }

  async next(tx?: Tx): Promise<number> {
    return (await nextState(this.rows, tx)).version;
  }

  async setLoaded(loaded: LoadedNetwork): Promise<void> {
    await this.rows.updateOne({ _id: 'network' }, { $set: { loaded }, $setOnInsert: { version: 0 } }, { upsert: true });
  }
}

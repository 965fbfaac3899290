import { createHmac, randomBytes } from 'node:crypto';
import { type Collection, Deadline, type Store, type Tx } from '@cds/service';
import { mongo } from 'mongoose';

/** A name of a creator that left, as a digest that nobody can read back. */
type DepartedRow = { _id: string; creator_id: string; of_network: boolean };
type KeyRow = { _id: 'key'; key: mongo.Binary };

const KEY = 'key';

export type NameKey = Buffer;

/** A creator that once had a name; `ofNetwork` when the social network knew it by an id of its own. */
export type Departed = { creatorId: string; ofNetwork: boolean };

/**
 * Names that creators gave up, as digests, so that an import alone recognises who left
 * (docs/domain/network.md#creators-who-leave).
 */
export class DepartedNames {
  private readonly rows: Collection<DepartedRow>;
  private readonly keys: Collection<KeyRow>;
  private kept: Promise<NameKey> | null = null;

  constructor(identity: Store) {
    this.rows = identity.collection<DepartedRow>({ name: 'departed' });
    this.keys = identity.db.collection<KeyRow>('departed');
  }

  key(): Promise<NameKey> {
    // Other callers share the result, so it must outlive the first caller's deadline.
    this.kept ??= Deadline.detached(() => this.readKey()).catch((error: unknown) => {
      this.kept = null;
      throw error;
    });
    return this.kept;
  }

  /** Stores the names that a creator gives up, in the transaction that takes them away. */
  async note(
    tx: Tx,
    creatorId: string,
    { networkId, handle }: { networkId: string | null; handle: string | null },
    key: NameKey,
  ): Promise<void> {
    const of_network = networkId !== null;
    for (const name of [networkId === null ? null : idName(networkId), handle === null ? null : handleName(handle)])
      if (name !== null)
        await this.rows.replaceOne(
          { _id: digestOf(name, key) },
          { creator_id: creatorId, of_network },
          { ...tx.options(), upsert: true },
        );
  }

  /** The former owners of these names; names that nobody gave up are left out. */
  async of(
    networkIds: readonly string[],
    handles: readonly string[],
  ): Promise<{ byNetworkId: ReadonlyMap<string, Departed>; byHandle: ReadonlyMap<string, Departed> }> {
    const key = await this.key();
    const ids = new Map(networkIds.map((id) => [id, digestOf(idName(id), key)]));
    const names = new Map(handles.map((handle) => [handle, digestOf(handleName(handle), key)]));
    const found = new Map(
      (await this.rows.find({ _id: { $in: [...ids.values(), ...names.values()] } }).toArray()).map((row) => [
        row._id,
        { creatorId: row.creator_id, ofNetwork: row.of_network },
      ]),
    );
    return { byNetworkId: among(found, ids), byHandle: among(found, names) };
  }

  /** Replicas that start together agree on the first one's key. */
  private async readKey(): Promise<NameKey> {
    const row = await this.keys.findOneAndUpdate(
      { _id: KEY },
      { $setOnInsert: { key: new mongo.Binary(randomBytes(32)) } },
      { upsert: true, returnDocument: 'after' },
    );
    if (row === null) throw new Error('the upsert returned no key');
    return Buffer.from(row.key.buffer);
  }
}

const digestOf = (name: string, key: NameKey): string => createHmac('sha256', key).update(name).digest('base64url');

const idName = (networkId: string): string => `id|${networkId}`;
const handleName = (handle: string): string => `handle|${handle.toLowerCase()}`;

const among = (
  found: ReadonlyMap<string, Departed>,
  digests: ReadonlyMap<string, string>,
): ReadonlyMap<string, Departed> =>
  new Map(
    [...digests].flatMap(([word, digest]) => {
      const departed = found.get(digest);
      return departed === undefined ? [] : [[word, departed] as const];
    }),
  );

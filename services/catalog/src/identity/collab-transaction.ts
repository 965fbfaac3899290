import { isDeepStrictEqual } from 'node:util';
import { Deadline, inTx, type Store } from '@cds/service';
import { handleHider } from '../domain/creator/own-handle.js';
import { collabsAfter, withoutOwnHandle } from '../domain/launches/collabs.js';
import { TRACKED } from '../store/launches.js';
import { nextVersion } from '../store/network-state.js';
import { type BothDatabases, bothDatabases } from './both-databases.js';

const BATCH_MS = 5_000;
const BATCH = 200;
const MIGRATION_MS = 600_000;

export class CollabTransaction {
  private readonly rows: BothDatabases;

  constructor(
    private readonly identity: Store,
    catalogDb: string,
  ) {
    this.rows = bothDatabases(identity, catalogDb);
  }

  /** Gives the partnerships of earlier releases their posts, so that those of one post become one. */
  migrate(): Promise<void> {
    return Deadline.in(MIGRATION_MS).run(() => this.addPosts());
  }

  private async addPosts(): Promise<void> {
    const without = {
      erased_at: { $exists: false },
      collabs: { $elemMatch: { launch_id: null, post_id: { $exists: false } } },
    };
    const ids: string[] = [];
    for await (const { _id } of this.rows.creators.find(without, { projection: { _id: 1 } })) ids.push(_id);
    for (let at = 0; at < ids.length; at += BATCH) await this.recompute(ids.slice(at, at + BATCH), null);
  }

  /** How many changed. What was known of the launch `forgotten` no longer counts: only posts show who took part. */
  async recompute(ids: readonly string[], forgotten: string | null): Promise<number> {
    return inTx(this.identity, Deadline.in(BATCH_MS), async (tx) => {
      const among = { _id: { $in: [...ids] } };
      const here = { ...among, erased_at: { $exists: false } };
      const launches = await this.rows.launches.find(TRACKED, tx.options()).toArray();
      const creators = await this.rows.creators.find(here, { ...tx.options(), projection: { collabs: 1 } }).toArray();
      const rows = await this.rows.evidence.find(among, tx.options()).toArray();
      const posts = new Map(rows.map((row) => [row._id, row.posts]));
      const identities = await this.rows.identities.find(among, tx.options()).toArray();
      const handles = new Map(identities.map((identity) => [identity._id, identity.handle]));

      const changed = creators.flatMap(({ _id, collabs: held = [] }) => {
        const known = held.filter(({ launch_id: launch }) => launch === null || launch !== forgotten);
        const hide = handleHider([handles.get(_id) ?? '']);
        const collabs = collabsAfter(known, posts.get(_id) ?? [], launches).map((one) => withoutOwnHandle(one, hide));
        return isDeepStrictEqual(collabs, held) ? [] : [{ _id, collabs }];
      });
      if (changed.length === 0) return 0;
      const network_version = await nextVersion(this.rows.state, tx);
      await this.rows.creators.bulkWrite(
        changed.map(({ _id, collabs }) => ({
          updateOne: { filter: { _id }, update: { $set: { collabs, network_version } } },
        })),
        tx.options(),
      );
      return changed.length;
    });
  }
}

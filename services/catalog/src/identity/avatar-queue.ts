import { createHash } from 'node:crypto';
import { Deadline, inTx, type Store } from '@cds/service';
import { mongo } from 'mongoose';
import type { Picture } from '../domain/pictures/picture.js';
import { nextVersion } from '../store/network-state.js';
import { type BothDatabases, bothDatabases } from './both-databases.js';

/** How long storing one picture may take, retries included, in milliseconds. */
const KEEP_MS = 5_000;
/** After this many failures the source is left alone until the next sync; the pause grows with each retry. */
const TRIES_MAX = 5;
const PAUSE_MS = 60_000;
const PAUSE_GROWTH = 4;

export type DueAvatar = { creatorId: string; source: string; tries: number };

/** Decides which replica fetches a picture. Addresses leave this folder only to be fetched. */
export class AvatarQueue {
  private readonly rows: BothDatabases;

  constructor(
    private readonly identity: Store,
    catalogDb: string,
  ) {
    this.rows = bothDatabases(identity, catalogDb);
  }

  /** Claims one due picture. Its next try is scheduled at once, so that nobody else fetches it meanwhile. */
  async claim(): Promise<DueAvatar | null> {
    const tried = { $ifNull: ['$avatar_tries', 0] };
    const row = await this.rows.identities.findOneAndUpdate(
      { avatar_due_at: { $type: 'date' }, $expr: { $lte: ['$avatar_due_at', '$$NOW'] } },
      [
        {
          $set: {
            avatar_tries: { $add: [tried, 1] },
            avatar_due_at: { $add: ['$$NOW', { $multiply: [PAUSE_MS, { $pow: [PAUSE_GROWTH, tried] }] }] },
          },
        },
      ],
      { projection: { avatar_source: 1, avatar_tries: 1 }, returnDocument: 'after' },
    );
    if (row === null) return null;
    const { _id: creatorId, avatar_source: source, avatar_tries: tries = 1 } = row;
    return { creatorId, source: source ?? '', tries };
  }

  async failed({ creatorId, source, tries }: DueAvatar): Promise<void> {
    if (tries < TRIES_MAX) return;
    await this.rows.identities.updateOne(
      { _id: creatorId, avatar_source: source },
      { $unset: { avatar_due_at: '', avatar_tries: '' } },
    );
  }

  /** Does nothing if the creator shows that picture already, or if a sync changed the source meanwhile. */
  async keep({ creatorId, source }: DueAvatar, picture: Picture, name: string, at: Date): Promise<void> {
    const digest = createHash('sha256').update(picture.bytes).digest('hex');
    await inTx(this.identity, Deadline.in(KEEP_MS), async (tx) => {
      const held = await this.rows.identities.updateOne(
        { _id: creatorId, avatar_source: source },
        { $unset: { avatar_due_at: '', avatar_tries: '' } },
        tx.options(),
      );
      const creator = await this.rows.creators.findOne(
        { _id: creatorId, erased_at: { $exists: false } },
        { ...tx.options(), projection: { avatar: 1 } },
      );
      if (held.matchedCount === 0 || creator === null) return;
      const shown = await this.rows.avatars.findOne(
        { _id: creator.avatar ?? '' },
        { ...tx.options(), projection: { digest: 1 } },
      );
      if (shown?.digest === digest) return;

      const network_version = await nextVersion(this.rows.state, tx);
      await this.rows.avatars.insertOne(
        { _id: name, creator_id: creatorId, digest, data: new mongo.Binary(picture.bytes), at },
        tx.options(),
      );
      await this.rows.creators.updateOne({ _id: creatorId }, { $set: { avatar: name, network_version } }, tx.options());
    });
  }
}

import { type BaseShell, Deadline, inTx, type RowRunner, type Store, stepping, type Tx } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { mongo } from 'mongoose';
import { cleanerFor } from '../domain/creator/cleaning.js';
import type { Chore, Creator } from '../domain/creator/creator.js';
import { handleHider } from '../domain/creator/own-handle.js';
import { cleanedTexts } from '../domain/creator/stored-texts.js';
import { collabsAfter, collabsOfBoth, withoutOwnHandle } from '../domain/launches/collabs.js';
import { answerAfterErasure } from '../present/erased-answer.js';
import { presentOpsCreator } from '../present/ops-creator.js';
import { TRACKED } from '../store/launches.js';
import { nextVersion } from '../store/network-state.js';
import { type BothDatabases, bothDatabases } from './both-databases.js';
import type { DepartedNames, NameKey } from './departed.js';
import { withoutValues } from './without-values.js';

const CHORE_MS = 15_000;
const BATCH = 200;
const OF_OPERATORS = { op: { $gte: 'ops_', $lt: 'ops`', $ne: 'ops_creator_erase' } };

/**
 * Finishes an erasure or a merge in the identity database, a transaction over both each; a sweep finds those of a dead
 * replica.
 */
export class IdentityChores {
  private readonly rows: BothDatabases;
  private running: Promise<number> = Promise.resolve(0);

  constructor(
    private readonly identity: Store,
    catalogDb: string,
    private readonly departed: Pick<DepartedNames, 'key' | 'note'>,
    private readonly runner: RowRunner,
    private readonly log: Pick<BaseShell['log'], 'error'>,
  ) {
    this.rows = bothDatabases(identity, catalogDb);
  }

  /** Starts on what was just committed, without waiting. */
  soon(): void {
    Deadline.detached(() => this.run()).catch((err: unknown) =>
      this.log.error({ err: withoutValues(err) }, 'an identity chore failed; the next sweep retries it'),
    );
  }

  run(): Promise<number> {
    this.running = this.running.catch(() => 0).then(() => this.runAll());
    return this.running;
  }

  private runAll(): Promise<number> {
    return this.runner.run(
      {
        name: 'identity chores',
        find: (without) =>
          this.rows.creators
            .find({ ...stepping(without), 'chore.kind': { $exists: true } }, { projection: { _id: 1 } })
            .limit(BATCH)
            .toArray(),
        idOf: ({ _id }) => _id,
        handle: async ({ _id }) => {
          const key = await this.departed.key();
          await inTx(this.identity, Deadline.in(CHORE_MS), (tx) => this.end(tx, _id, key));
          return 1;
        },
        loggable: withoutValues,
      },
      'kept',
    );
  }

  private async end(tx: Tx, _id: string, key: NameKey): Promise<void> {
    const held = await this.rows.creators.findOneAndUpdate(
      { _id, 'chore.kind': { $exists: true } },
      { $unset: { chore: '' } },
      { ...tx.options(), returnDocument: 'before' },
    );
    const chore = held?.chore;
    if (held === null || chore === undefined) return;
    await (chore.kind === 'erase' ? this.erase(tx, held, chore, key) : this.merge(tx, _id, chore, key));
  }

  private async erase(
    tx: Tx,
    creator: Creator,
    { network_id: networkId }: Chore & { kind: 'erase' },
    key: NameKey,
  ): Promise<void> {
    const { _id: id } = creator;
    const own = await this.rows.identities.findOneAndDelete({ _id: id }, tx.options());
    await this.departed.note(tx, id, { networkId, handle: own?.handle_lower ?? null }, key);
    await this.rows.evidence.deleteOne({ _id: id }, tx.options());
    await this.rows.avatars.deleteMany({ creator_id: id }, tx.options());
    await this.forget(tx, creator);
  }

  /** Stored answers to operators contain the handle for up to a week: they are rewritten to the erased state. */
  private async forget(tx: Tx, creator: Creator): Promise<void> {
    const now = presentOpsCreator(creator, null, creator.erased_at === undefined ? '' : dayOf(creator.erased_at));
    const answers = this.rows.commands.find(OF_OPERATORS, { ...tx.options(), projection: { body: 1 } });
    for await (const { _id, body } of answers) {
      const text = Buffer.from(body.buffer).toString();
      if (!text.includes(creator._id)) continue;
      const rewritten = new mongo.Binary(Buffer.from(JSON.stringify(answerAfterErasure(JSON.parse(text), now))));
      await this.rows.commands.updateOne({ _id }, { $set: { body: rewritten } }, tx.options());
    }
  }

  private async merge(
    tx: Tx,
    id: string,
    { into, takes_identity: takes }: Chore & { kind: 'merge' },
    key: NameKey,
  ): Promise<void> {
    const network_version = await nextVersion(this.rows.state, tx);
    const own = await this.rows.identities.findOneAndDelete({ _id: id }, tx.options());
    const shown = await this.rows.evidence.findOneAndDelete({ _id: id }, tx.options());
    if (takes && own !== null) {
      const before = await this.rows.identities.findOneAndUpdate(
        { _id: into },
        { $set: { handle: own.handle, handle_lower: own.handle_lower, url: own.url, network_version } },
        tx.options(),
      );
      await this.departed.note(tx, into, { networkId: null, handle: before?.handle_lower ?? null }, key);
    } else await this.departed.note(tx, id, { networkId: null, handle: own?.handle_lower ?? null }, key);

    const from = await this.rows.creators.findOne({ _id: id }, { ...tx.options(), projection: { collabs: 1 } });
    const survivor = await this.rows.creators.findOne({ _id: into }, tx.options());
    const theirs = await this.rows.evidence.findOne({ _id: into }, tx.options());
    const ids = new Set(theirs?.posts.map((post) => post.id));
    const posts = [...(theirs?.posts ?? []), ...(shown?.posts ?? []).filter((post) => !ids.has(post.id))];
    if (posts.length > 0)
      await this.rows.evidence.replaceOne({ _id: into }, { posts }, { ...tx.options(), upsert: true });
    const launches = await this.rows.launches.find(TRACKED, tx.options()).toArray();
    const held = collabsOfBoth(survivor?.collabs ?? [], from?.collabs ?? []);
    const kept = await this.rows.identities.findOne({ _id: into }, tx.options());
    const handles = [kept, own].flatMap((one) => one?.handle ?? []);
    const hide = handleHider(handles);
    const collabs = collabsAfter(held, posts, launches).map((one) => withoutOwnHandle(one, hide));
    const texts = survivor === null ? {} : cleanedTexts(survivor, cleanerFor(...handles));
    await this.rows.creators.updateOne({ _id: into }, { $set: { ...texts, collabs, network_version } }, tx.options());
  }
}

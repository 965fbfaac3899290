import { type BaseShell, type CommandRow, Deadline, inTx, type Store, type Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import { collabsAfter } from '../domain/collabs.js';
import type { Creator, Identity } from '../domain/creator.js';
import type { Chore } from '../domain/leaving.js';
import { AVATARS, type AvatarRow } from '../store/avatars.js';
import { CREATORS } from '../store/creators.js';
import { LAUNCHES, type LaunchRow, TRACKED } from '../store/launches.js';
import { NETWORK_STATE, type NetworkStateDoc, nextVersion } from '../store/network-state.js';
import { IDENTITIES } from './identities.js';
import { type EvidenceRow, POST_EVIDENCE } from './post-evidence.js';

/** How long one chore may take, its retries included, in milliseconds. */
const CHORE_MS = 15_000;

/**
 * Ends in the identity database what an operator began on a creator: an erased one leaves no handle, picture or evidence
 * behind, a merged one gives its own to the survivor. Each chore is one transaction over both databases; one that a dead
 * replica left is found again by the sweep.
 */
export class IdentityChores {
  private readonly creators: mongo.Collection<Creator>;
  private readonly avatars: mongo.Collection<AvatarRow>;
  private readonly commands: mongo.Collection<CommandRow>;
  private readonly launches: mongo.Collection<LaunchRow>;
  private readonly state: mongo.Collection<NetworkStateDoc>;
  private readonly identities: mongo.Collection<Identity>;
  private readonly evidence: mongo.Collection<EvidenceRow>;
  private running: Promise<number> = Promise.resolve(0);

  constructor(
    private readonly identity: Store,
    catalogDb: string,
    private readonly log: Pick<BaseShell['log'], 'error'>,
  ) {
    const catalog = identity.client.db(catalogDb);
    this.creators = catalog.collection<Creator>(CREATORS.name);
    this.avatars = catalog.collection<AvatarRow>(AVATARS.name);
    this.commands = catalog.collection<CommandRow>('commands');
    this.launches = catalog.collection<LaunchRow>(LAUNCHES.name);
    this.state = catalog.collection<NetworkStateDoc>(NETWORK_STATE);
    this.identities = identity.db.collection<Identity>(IDENTITIES.name);
    this.evidence = identity.db.collection<EvidenceRow>(POST_EVIDENCE.name);
  }

  /** Begins what has just been committed, and waits for nothing. */
  soon(): void {
    this.run().catch((err: unknown) => this.log.error({ err }, 'a creator has not left yet; the next sweep goes on'));
  }

  /** Ends every chore that stands, and answers how many there were. */
  run(): Promise<number> {
    this.running = this.running.catch(() => 0).then(() => this.runAll());
    return this.running;
  }

  private async runAll(): Promise<number> {
    let done = 0;
    for await (const { _id, chore } of this.creators.find(
      { 'chore.kind': { $exists: true } },
      { projection: { chore: 1 } },
    )) {
      if (chore === undefined) continue;
      await inTx(this.identity, Deadline.in(CHORE_MS), async (tx) => {
        const held = await this.creators.updateOne(
          { _id, 'chore.kind': chore.kind },
          { $unset: { chore: '' } },
          tx.options(),
        );
        if (held.matchedCount === 0) return;
        await (chore.kind === 'erase' ? this.erase(tx, _id) : this.merge(tx, _id, chore));
      });
      done += 1;
    }
    return done;
  }

  private async erase(tx: Tx, id: string): Promise<void> {
    await this.identities.deleteOne({ _id: id }, tx.options());
    await this.evidence.deleteOne({ _id: id }, tx.options());
    await this.avatars.deleteMany({ creator_id: id }, tx.options());
    // What operators were answered holds the handle until it is a week old.
    const answers: string[] = [];
    for await (const { _id, body } of this.commands.find({ op: /^ops_/ }, { ...tx.options(), projection: { body: 1 } }))
      if (Buffer.from(body.buffer).includes(id)) answers.push(_id);
    await this.commands.deleteMany({ _id: { $in: answers } }, tx.options());
  }

  private async merge(tx: Tx, id: string, { into, takes_identity: takes }: Chore & { kind: 'merge' }): Promise<void> {
    const own = await this.identities.findOne({ _id: id }, tx.options());
    const shown = await this.evidence.findOne({ _id: id }, tx.options());
    const network_version = await nextVersion(this.state, tx);
    await this.identities.deleteOne({ _id: id }, tx.options());
    await this.evidence.deleteOne({ _id: id }, tx.options());
    if (takes && own !== null)
      await this.identities.updateOne(
        { _id: into },
        { $set: { handle: own.handle, handle_lower: own.handle_lower, url: own.url, network_version } },
        tx.options(),
      );

    const known = { ...tx.options(), projection: { collabs: 1 } };
    const [from, survivor] = [
      await this.creators.findOne({ _id: id }, known),
      await this.creators.findOne({ _id: into }, known),
    ];
    const theirs = await this.evidence.findOne({ _id: into }, tx.options());
    const ids = new Set(theirs?.posts.map((post) => post.id));
    const posts = [...(theirs?.posts ?? []), ...(shown?.posts ?? []).filter((post) => !ids.has(post.id))];
    if (posts.length > 0) await this.evidence.replaceOne({ _id: into }, { posts }, { ...tx.options(), upsert: true });
    const launches = await this.launches.find(TRACKED, tx.options()).toArray();
    const held = [...(survivor?.collabs ?? []), ...(from?.collabs ?? [])];
    const collabs = collabsAfter(held, posts, launches);
    await this.creators.updateOne({ _id: into }, { $set: { collabs, network_version } }, tx.options());
  }
}

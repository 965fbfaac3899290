import type { Collection, Store } from '@cds/service';
import type { mongo } from 'mongoose';
import { daysAround, type Launch } from '../domain/launches/collabs.js';
import { bare, type PostEvidence, siteOf } from '../domain/launches/evidence.js';

export type EvidenceRow = { _id: string; posts: PostEvidence[] };

export const POST_EVIDENCE = {
  name: 'post_evidence',
  indexes: [{ key: { 'posts.quoted': 1 } }, { key: { 'posts.named': 1 } }, { key: { 'posts.links': 1 } }],
} as const;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whom posts quote and name and what they link. These words identify people, so only this folder reads them. */
export class PostEvidenceRows {
  private readonly rows: Collection<EvidenceRow>;

  constructor(identity: Store) {
    this.rows = identity.collection<EvidenceRow>(POST_EVIDENCE);
  }

  async ofCreators(ids: readonly string[]): Promise<ReadonlyMap<string, PostEvidence[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.rows.find({ _id: { $in: [...ids] } }).toArray();
    return new Map(rows.map(({ _id, posts }) => [_id, posts]));
  }

  async *creatorsAround({ date, brand }: Launch): AsyncGenerator<string> {
    const { from, to } = daysAround(date);
    const handle = brand.handle === null ? null : bare(brand.handle);
    const site = brand.site === null ? '' : siteOf(brand.site);
    const words: Record<string, unknown>[] = [
      ...(handle === null ? [] : [{ quoted: handle }, { named: handle }]),
      ...(site === '' ? [] : [{ links: { $regex: `^${escaped(site)}(?:$|[/?#])` } }]),
    ];
    if (words.length === 0) return;
    const posts = words.map((word) => ({ posts: { $elemMatch: { day: { $gte: from, $lte: to }, ...word } } }));
    for await (const { _id } of this.rows.find({ $or: posts } as mongo.Filter<EvidenceRow>, {
      projection: { _id: 1 },
      batchSize: 1_000,
    }))
      yield _id;
  }
}

import { randomUUID } from 'node:crypto';
import { aCtx, docsExamined } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newClaim } from '../domain/claim.js';
import { LISTED_ENTRIES } from '../domain/constants.js';
import { type IntegrityEntry, withEntries } from '../domain/integrity.js';
import type { Post } from '../domain/post.js';
import { figuresOf } from '../domain/reading.js';
import { lineIntegrity } from '../operations/line-integrity.js';
import { metricsDue } from '../operations/metrics-due.js';
import { aReading, PUBLISHED_AT } from '../test/builders.js';
import { testPosts } from '../test/suite.js';

const OTHERS = 300;
const HOUR_MS = 3_600_000;

/** What is asked of a few posts reads these, however many others there are. */
describe('the posts of all workspaces', () => {
  const world = testPosts();
  let one: Post;

  beforeAll(async () => {
    const order = await world.booked({ sandbox: false });
    const found = await world.posts.byLine(order.workspace, order.lines[0]?.line_id ?? '');
    if (found === null) throw new Error('a booked line has its post');
    one = found;
    await add(OTHERS, () => ({ ws: randomUUID(), creator_id: randomUUID() }));
  });

  const add = async (many: number, over: (n: number) => Partial<Post>): Promise<Post[]> => {
    const posts = Array.from({ length: many }, (_none, n) => ({ ...one, _id: randomUUID(), ...over(n) }));
    await world.posts.rows.insertMany(posts);
    return posts;
  };
  const read = <T>(work: () => Promise<T>) => docsExamined(world.shell.store, 'posts', work);
  const idsOf = (posts: readonly Post[]): string[] => posts.map(({ _id }) => _id);
  const sortedIdsOf = (posts: readonly Post[]): string[] => idsOf(posts).sort((one, other) => (one < other ? -1 : 1));

  it('are found by an open claim, and not read when theirs are decided', async () => {
    const claim = newClaim(
      { id: 'c', attempt: 1, claim: 'gone', text: 'It is gone.', evidence: [], opened_by: 'somebody' },
      PUBLISHED_AT,
      false,
    );
    const decided = { remedy: 'none' as const, amount_cents: null, reason: 'It is up.', at: PUBLISHED_AT, by: 'team' };
    await add(50, () => ({ claims: [{ ...claim, id: randomUUID(), decided }] }));
    const open = await add(3, () => ({
      claims: [
        { ...claim, id: randomUUID(), decided },
        { ...claim, id: randomUUID() },
      ],
    }));
    const ids = sortedIdsOf(open);
    const all = await read(() => world.posts.withOpenClaim(null, 10));
    expect([idsOf(all.result), all.docsExamined]).toEqual([ids, 3]);
    const rest = await read(() => world.posts.withOpenClaim(ids[0] ?? '', 10));
    expect([idsOf(rest.result), rest.docsExamined]).toEqual([ids.slice(1), 2]);
  });

  it('are listed by status or workspace without reading the others', async () => {
    const ws = randomUUID();
    const blocked = sortedIdsOf(await add(3, () => ({ status: 'blocked', ws })));
    const byStatus = await read(() => world.posts.page({ status: 'blocked', ws: undefined }, null, 10));
    expect([idsOf(byStatus.result), byStatus.docsExamined]).toEqual([blocked, 3]);
    const byWorkspace = await read(() => world.posts.page({ status: undefined, ws }, blocked[0] ?? '', 10));
    expect([idsOf(byWorkspace.result), byWorkspace.docsExamined]).toEqual([blocked.slice(1), 2]);
  });

  it('of a creator are compared by the newest fifty', async () => {
    const creator_id = randomUUID();
    const posts = await add(60, (n) => {
      const published_at = new Date(PUBLISHED_AT.getTime() + ((n * 7) % 60) * HOUR_MS);
      return { creator_id, published_at, figures: figuresOf(published_at, [aReading(100, { views: (n * 7) % 60 })]) };
    });
    const counts = await world.posts.countsOf({ _id: 'another', creator_id, sandbox: false });
    expect(counts.map(({ views }) => views)).toEqual(Array.from({ length: 50 }, (_none, n) => 59 - n));
    expect(posts).toHaveLength(60);
  });

  it('are asked for their next remedy as far as the next two thousand facts', async () => {
    const ws = randomUUID();
    const dueAt = (n: number) => new Date(PUBLISHED_AT.getTime() + n * 60_000);
    const calm = { sandbox: true, status: 'live' as const, missing_at: null, plan: null, published_at: PUBLISHED_AT };
    await add(2_000, (n) => ({ ...calm, ws, reading_at: dueAt(n), due_at: dueAt(n) }));
    await add(1, () => ({ ...calm, ws, gone_due_at: dueAt(2_100), due_at: dueAt(2_100) }));
    const due = async () => metricsDue(aCtx(), { workspace: ws }, { posts: world.posts });
    expect(await due()).toMatchObject({ stop_at: dueAt(1_999).toISOString() });
    await world.posts.rows.updateOne({ ws, due_at: dueAt(0) }, { $set: { due_at: null, reading_at: null } });
    await world.posts.rows.updateOne({ ws, due_at: dueAt(1) }, { $set: { due_at: null, reading_at: null } });
    expect(await due()).toMatchObject({ stop_at: new Date(dueAt(2_100).getTime() + 48 * HOUR_MS).toISOString() });
  });
});

/** docs/domain/orders.md#integrity. */
describe('a long chain of what was seen of a post', () => {
  const world = testPosts();

  it('is listed by its newest entries, which follow from the one before them', async () => {
    const order = await world.booked();
    const [ws, id] = [order.workspace, order.lines[0]?.line_id ?? ''];
    await world.jump(ws, '2026-12-01T22:00:00Z');
    let post = await world.posts.byLine(ws, id);
    if (post?.published_at == null) throw new Error('the post is live');
    const entries: IntegrityEntry[] = [];
    while (entries.length < LISTED_ENTRIES + 1) {
      const edited: Post = { ...post, content: { text: `Version ${entries.length}`, media_ids: [] } };
      const next = withEntries(post, edited, PUBLISHED_AT);
      entries.push(...next.entries);
      post = next.post;
    }
    await world.deps.integrity.rows.insertMany(entries);

    const listed = async () => {
      const answer = await lineIntegrity(aCtx({ workspace: ws }), { id }, world.deps);
      if (!('items' in answer)) throw new Error('a value is answered');
      return { seqs: answer.items.map(({ seq }) => seq), unbroken: answer.unbroken };
    };
    const newest = Array.from({ length: LISTED_ENTRIES }, (_none, n) => n + 3);
    expect(await listed()).toEqual({ seqs: newest, unbroken: true });
    await world.deps.integrity.rows.deleteOne({ line_id: id, seq: 2 });
    expect(await listed()).toEqual({ seqs: newest, unbroken: false });
  });
});

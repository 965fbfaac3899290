import { randomUUID } from 'node:crypto';
import type { Input } from '@cds/contracts';
import { type Ctx, Encoded } from '@cds/service';
import { proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { METER } from '../domain/constants.js';
import { decideRead, type MeterDecision } from '../domain/meter/meter.js';
import { aCreator, anId } from '../test/builders.js';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { creatorGet } from './creator-get.js';
import { creatorsSearch } from './creators-search.js';

type Page = { total: number; limit: number; offset: number; priced: number; creators: { id: string }[] };

const COUNT = 60;

describe('creator reads', () => {
  const network = testNetwork('creator_reads');

  const list = async (query: Input<'creators_search'>, over: Parameters<typeof aRequest>[0] = {}): Promise<Page> => {
    const encoded = await creatorsSearch(aRequest(over), query, network);
    return JSON.parse(Buffer.from((encoded as Encoded).json as Uint8Array).toString()) as Page;
  };
  const open = (id: string, over: Parameters<typeof aRequest>[0] = {}) => creatorGet(aRequest(over), { id }, network);
  const viewed = async (workspace: string, count: number): Promise<void> => {
    for (let from = 0; from < count; from += 50) {
      const creators = Array.from({ length: Math.min(50, count - from) }, (_none, index) =>
        anId(1_000_000 + from + index),
      );
      const want = { attemptId: randomUUID(), key: null, kind: 'list', creators, askId: null, asker: null } as const;
      await network.meters.book(workspace, want, new Date(NOW));
    }
  };

  beforeAll(async () => {
    await network.take(Array.from({ length: COUNT }, (_none, index) => aCreator({ id: anId(0xc000 + index) })));
  });

  it('lists only the creators that still fit the day’s views, in list order (I38)', async () => {
    proves('limits.pool-last-page', 'limits.pool-300');
    const workspace = randomUUID();
    const full = await list({ followers_min: 0, limit: 10 });
    await viewed(workspace, METER.viewsPerDay - 4);

    const page = await list({ followers_min: 0, limit: 10 }, { workspace });
    expect(page).toMatchObject({ total: full.total, priced: full.priced, limit: 10, offset: 0 });
    expect(page.creators.map(({ id }) => id)).toEqual(full.creators.slice(0, 4).map(({ id }) => id));

    expect((await list({ followers_min: 0, limit: 10 }, { workspace })).creators).toHaveLength(4);
    await expect(list({ followers_min: 0, limit: 10, offset: 10 }, { workspace })).rejects.toMatchObject({
      code: 'rate_limited',
      details: { reason: 'daily_seen', scope: 'workspace', limit: 300 },
    });
    await expect(open(full.creators[3]?.id ?? '', { workspace })).resolves.toBeInstanceOf(Encoded);
    await expect(open(full.creators[4]?.id ?? '', { workspace })).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('serves 20 reads a minute to a key, then says when the next one is possible (I42)', async () => {
    proves('limits.creator-reads');
    const over = { workspace: randomUUID(), key: randomUUID() };
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_none, index) =>
        index % 2 === 0 ? list({ followers_min: 0, limit: 1 }, over) : open(anId(0xc000 + index), over),
      ),
    );
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as { details: object }] : []));
    expect(refused).toHaveLength(10);
    for (const { details } of refused)
      expect(details).toMatchObject({
        reason: 'per_minute',
        scope: 'key',
        limit: 20,
        resets_at: expect.stringMatching(/:00\.000Z$/),
        retry_after: expect.any(Number),
      });
  });

  it('tells a child key that the limit of its parent refused it, which siblings share', async () => {
    const [workspace, parent] = [randomUUID(), randomUUID()];
    const ofChild = (): Ctx => {
      const ctx = aRequest({ workspace });
      const shared = { key: parent, monthly_cap_cents: 0, mandate_version: 0 };
      return { ...ctx, principal: { ...ctx.principal, parent: shared } };
    };
    const read = (ctx: Ctx) => creatorsSearch(ctx, { followers_min: 0, limit: 1 }, network);
    for (let reads = 0; reads < METER.readsPerMinute; reads += 1) await read(ofChild());

    const refused = { code: 'rate_limited', message: expect.stringMatching(/^Your parent key and its child keys/) };
    const details = { reason: 'per_minute', limit: 20 };
    await expect(read(ofChild())).rejects.toMatchObject({ ...refused, details: { ...details, scope: 'parent' } });
    await expect(read(aRequest({ workspace, key: parent }))).rejects.toMatchObject({
      details: { ...details, scope: 'key' },
    });
  });

  it('counts the reads of a person as those of a key, and not among the brand’s', async () => {
    const [workspace, key, person] = [randomUUID(), randomUUID(), randomUUID()];
    const signedIn = (): Ctx => {
      const ctx = aRequest({ workspace, key });
      return { ...ctx, principal: { ...ctx.principal, person: { id: person, role: 'member' } } };
    };
    for (let reads = 0; reads < METER.readsPerMinute; reads += 1)
      await creatorsSearch(signedIn(), { followers_min: 0, limit: 1 }, network);
    await expect(creatorGet(signedIn(), { id: anId(0xc001) }, network)).rejects.toMatchObject({
      message: expect.stringMatching(/^You made 20 creator reads this minute/),
      details: { reason: 'per_minute', scope: 'session' },
    });

    const held = await network.meters.held(workspace, key, null);
    expect(held).toMatchObject({ key: null, ws: { min: { n: 0 }, lists: 0, opened: 0 } });
  });

  it('refuses the 61st list and the 61st open of a day, and pauses after forty opens in ten minutes', () => {
    proves('limits.creator-reads', 'limits.open-pause');
    const midnight = Date.parse('2026-11-21T00:00:00.000Z');
    const run = (kind: 'list' | 'open', count: number, everyMs: number) => {
      let last: MeterDecision | null = null;
      for (let index = 0; index < count; index += 1) {
        const want = { attemptId: `${index}`, key: 'k', kind, creators: [anId(index)], askId: null, asker: null };
        last = decideRead(last?.meter ?? null, want, new Date(midnight + index * everyMs));
      }
      return last?.refused ?? null;
    };

    expect(run('list', 60, 10_000)).toBeNull();
    expect(run('list', 61, 10_000)).toMatchObject({ reason: 'daily_lists', scope: 'key', limit: 60 });
    expect(run('open', 60, 20_000)).toBeNull();
    expect(run('open', 61, 20_000)).toMatchObject({ reason: 'daily_reveals', scope: 'key', limit: 60 });
    expect(run('open', 40, 10_000)).toBeNull();
    expect(run('open', 41, 10_000)).toEqual({
      reason: 'locked',
      scope: 'key',
      limit: 40,
      resets_at: new Date(midnight + 39 * 10_000 + 600_000),
    });
  });

  it('books the reads of a sandbox in the live workspace of its brand', async () => {
    const live = randomUUID();
    await viewed(live, METER.viewsPerDay);
    const sandbox = { workspace: randomUUID(), readsWorkspace: live, sandbox: true };
    await expect(open(anId(0xc001), sandbox)).rejects.toMatchObject({ details: { reason: 'daily_seen' } });
  });

  it('books nothing for a creator that is not listed', async () => {
    const over = { workspace: randomUUID(), key: randomUUID() };
    await expect(open(randomUUID(), over)).rejects.toMatchObject({ code: 'not_found' });
    expect(
      await network.store.db.collection<{ _id: string }>('read_meters').findOne({ _id: over.workspace }),
    ).toBeNull();
  });
});

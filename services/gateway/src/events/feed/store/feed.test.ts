import { randomUUID } from 'node:crypto';
import { Deadline, inTx, retryLostRaces, type Store } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Feed, type FeedEvent, feedId, type NewFeedEvent, presentFeedEvent } from './feed.js';

/** The stored feed (docs/domain/events.md#events). */
describe('the feed of a workspace', () => {
  let store: Store;
  let drop: () => Promise<void>;
  let feed: Feed;
  let ws: string;

  beforeAll(async () => {
    ({ store, drop } = await testStore('feed'));
    feed = new Feed(store);
    await store.migrate();
  });
  afterAll(() => drop());
  beforeEach(() => {
    ws = randomUUID();
  });

  const event = (id: string, version: number, over: Partial<NewFeedEvent> = {}): NewFeedEvent => ({
    ws,
    // Far ahead, since what is older than the feed is kept is not read.
    at: new Date('2099-07-01T10:00:00.000Z'),
    kind: 'plan.changed',
    aggregate: { type: 'plan', id },
    version,
    data: { total_cents: version * 100 },
    ...over,
  });
  const add = (one: NewFeedEvent): Promise<boolean> =>
    retryLostRaces(Deadline.in(30_000), () =>
      inTx(store, Deadline.in(30_000), async (tx) => (await feed.add(tx, one)) === 'added'),
    );

  const allOf = async (of: string): Promise<FeedEvent[]> =>
    (await feed.next({ ws: of, seq: 0 }, await feed.head(of), 100)).events;

  test('is empty at first', async () => {
    expect([await feed.head(ws), await feed.oldest(ws), await allOf(ws)]).toEqual([0, 1, []]);
  });

  test('keeps the newest 15 MB of a workspace, whatever the size of its events', async () => {
    const [plan, other] = [randomUUID(), randomUUID()];
    const large = (version: number) => event(plan, version, { data: { text: 'x'.repeat(1_500_000) } });
    await add(event(other, 1));
    for (let version = 1; version <= 18; version += 1) await add(large(version));
    const kept = await allOf(ws);
    expect(kept.map(({ version }) => version)).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
    expect([await feed.oldest(ws), await feed.head(ws)]).toEqual([10, 19]);
  });

  test('gives events the next places, and the same id for the same version', async () => {
    const plan = randomUUID();
    expect([await add(event(plan, 1)), await add(event(plan, 2))]).toEqual([true, true]);

    const found = await allOf(ws);
    expect(found.map(({ seq, version }) => [seq, version])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(found[1]?.id).toBe(feedId({ ws, aggregate: { type: 'plan', id: plan }, version: 2 }));
    expect(found[1] && presentFeedEvent(found[1])).toEqual({
      id: found[1]?.id,
      at: '2099-07-01T10:00:00.000Z',
      kind: 'plan.changed',
      aggregate: { type: 'plan', id: plan },
      version: 2,
      data: { total_cents: 200 },
    });
    expect([await feed.head(ws), await feed.oldest(ws)]).toEqual([2, 1]);
  });

  test('takes no version twice, and none that is older than one it has', async () => {
    const plan = randomUUID();
    await add(event(plan, 3));
    expect([await add(event(plan, 3)), await add(event(plan, 2)), await add(event(plan, 4))]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await allOf(ws)).map(({ version }) => version)).toEqual([3, 4]);
    expect(await feed.head(ws)).toBe(2);
  });

  test('answers pages, and only the kinds asked for', async () => {
    const plan = randomUUID();
    for (const version of [1, 2, 3, 4]) {
      const kind = version % 2 === 0 ? 'plan.approved' : 'plan.changed';
      await add(event(plan, version, { kind }));
    }
    const page = async (...asked: Parameters<Feed['next']>) => {
      const { events, seq } = await feed.next(...asked);
      return { versions: events.map(({ version }) => version), seq };
    };
    const approved = ['plan.approved'] as const;
    expect(await page({ ws, seq: 0 }, 4, 2)).toEqual({ versions: [1, 2], seq: 2 });
    expect(await page({ ws, seq: 2 }, 4, 2)).toEqual({ versions: [3, 4], seq: 4 });
    expect(await page({ ws, seq: 1, kinds: approved }, 4, 10)).toEqual({ versions: [2, 4], seq: 4 });
    expect(await page({ ws, seq: 2, kinds: approved }, 3, 10)).toEqual({ versions: [], seq: 3 });
    expect(await page({ ws, seq: 4 }, 4, 10)).toEqual({ versions: [], seq: 4 });
  });

  test('is read up to the place that was known before, so that nothing becomes visible behind a reader', async () => {
    const [early, late] = [randomUUID(), randomUUID()];
    await add(event(early, 1));
    const head = await feed.head(ws);
    await add(event(late, 1));
    const { events, seq } = await feed.next({ ws, seq: 0 }, head, 10);
    expect([events.map(({ aggregate }) => aggregate.id), seq]).toEqual([[early], 1]);
  });

  test('belongs to one workspace', async () => {
    const plan = randomUUID();
    await add(event(plan, 1));
    expect(await add(event(plan, 1, { ws: randomUUID() }))).toBe(true);
    expect(await feed.head(ws)).toBe(1);
  });

  test('takes events of several workspaces at once, as it would one after the other', async () => {
    const [plan, late, other] = [randomUUID(), randomUUID(), randomUUID()];
    await add(event(plan, 1));
    const all = [event(plan, 2), event(late, 3), event(plan, 2), event(plan, 3), event(plan, 1, { ws: other })];
    const outcomes = await inTx(store, Deadline.in(30_000), (tx) =>
      feed.addAll(
        tx,
        all.map((one) => ({ event: one, takes: 'next only' as const })),
      ),
    );
    expect(outcomes).toEqual(['added', 'early', 'known', 'added', 'added']);
    expect((await allOf(ws)).map(({ seq, version }) => [seq, version])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect([await feed.head(ws), await feed.head(other)]).toEqual([3, 1]);
    expect(await feed.versionOf(event(plan, 0))).toBe(3);
  });

  test('has no gap and no place twice when gateways add at once', async () => {
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const deliveries = [...ids, ...ids].map((id) => add(event(id, 1)));

    expect((await Promise.all(deliveries)).filter(Boolean)).toHaveLength(12);
    const found = await allOf(ws);
    expect(found.map(({ seq }) => seq)).toEqual(ids.map((_id, index) => index + 1));
    expect(new Set(found.map(({ id }) => id)).size).toBe(12);
  });

  test('continues after the last place when a reset empties it', async () => {
    const plan = randomUUID();
    const key = { type: 'mandate', id: randomUUID() } as const;
    await add(event(plan, 1));
    await add(event(key.id, 1, { aggregate: key, kind: 'mandate.changed' }));
    await inTx(store, Deadline.in(30_000), (tx) => feed.empty(tx, ws, new Date('2099-07-01T11:00:00.000Z')));

    expect([await feed.head(ws), (await allOf(ws)).map(({ kind }) => kind)]).toEqual([2, ['mandate.changed']]);
    // Keys stay, and with them what the feed had of their mandates.
    const later = { at: new Date('2099-07-01T11:00:00.001Z') };
    expect(await add(event(key.id, 1, { aggregate: key, kind: 'mandate.changed', ...later }))).toBe(false);
    expect(await add(event(plan, 1, later))).toBe(true);
    // What happened before the reset and comes late.
    expect(await add(event(randomUUID(), 1))).toBe(false);
    // A limit is the key's, and the log of requests reports it up to a second later.
    const limit = { type: 'limit', id: randomUUID() } as const;
    expect(await add(event(limit.id, 1, { aggregate: limit, kind: 'limit.reached' }))).toBe(true);
    expect((await allOf(ws)).map(({ seq }) => seq)).toEqual([2, 3, 4]);
  });

  test('keeps what happened after the end of a reset, and takes no version of it twice', async () => {
    const [before, after] = [randomUUID(), randomUUID()];
    const endedAt = new Date('2099-07-01T11:00:00.000Z');
    const later = { at: new Date(endedAt.getTime() + 1) };
    await add(event(before, 1));
    await add(event(after, 1, later));
    await feed.clear(ws, endedAt);
    expect([await feed.beforeSandbox(ws), await feed.endsInReset(ws, 0)]).toEqual([1, true]);
    await inTx(store, Deadline.in(30_000), (tx) => feed.empty(tx, ws, endedAt));

    expect((await allOf(ws)).map(({ aggregate }) => aggregate.id)).toEqual([after]);
    expect([await add(event(after, 1, later)), await add(event(after, 2, later))]).toEqual([false, true]);
    expect(await feed.endsInReset(ws, 0)).toBe(false);

    // A gateway that fell behind repeats what another has finished.
    await feed.clear(ws, endedAt);
    expect(await feed.endsInReset(ws, 0)).toBe(false);
    await feed.clear(ws, new Date(endedAt.getTime() + 1));
    expect(await feed.endsInReset(ws, 0)).toBe(true);
  });

  test('leaves few to the transaction that empties it: clearing removes what is from before, and adds nothing of it', async () => {
    const [before, after] = [randomUUID(), randomUUID()];
    const key = { type: 'mandate', id: randomUUID() } as const;
    const endedAt = new Date('2099-07-01T11:00:00.000Z');
    const later = { at: new Date(endedAt.getTime() + 1) };
    await add(event(before, 1));
    await add(event(key.id, 1, { aggregate: key, kind: 'mandate.changed' }));
    await add(event(after, 1));
    await add(event(after, 2, later));
    await feed.clear(ws, endedAt);

    const heads = await store.db.collection<{ _id: string }>('feed_heads').find({ ws }).toArray();
    expect(new Set(heads.map(({ _id }) => _id))).toEqual(new Set([`${ws}|mandate|${key.id}`, `${ws}|plan|${after}`]));
    expect([await add(event(before, 1)), await add(event(randomUUID(), 1))]).toEqual([false, false]);
    expect([await add(event(after, 2, later)), await add(event(after, 3, later))]).toEqual([false, true]);
    expect((await allOf(ws)).map(({ seq }) => seq)).toEqual([2, 4, 5]);
  });
});

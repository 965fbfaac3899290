import { randomUUID } from 'node:crypto';
import { Deadline, type Store } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FeedStreams, type StreamCaller } from './feed-streams.js';

const MINUTE_MS = 60_000;

/** The open streams of a caller (docs/domain/events.md#events). */
describe('the streams of events that a caller has open', () => {
  let store: Store;
  let drop: () => Promise<void>;
  let streams: FeedStreams;
  let caller: StreamCaller;

  beforeAll(async () => {
    ({ store, drop } = await testStore('feed_streams'));
    streams = new FeedStreams(store);
    await store.migrate();
  });
  afterAll(() => drop());
  beforeEach(() => {
    caller = { id: randomUUID(), scope: 'session', ws: randomUUID() };
  });

  const within = <T>(work: () => Promise<T>): Promise<T> => Deadline.in(30_000).run(work);
  const open = (of = caller, lastsMs = MINUTE_MS) => within(() => streams.open(of, lastsMs));
  const ends = (of = caller) => within(async () => streams.ends(of, await store.now()));

  test('are four at most, and the first that ends makes room at the latest when it would have ended', async () => {
    for (const minutes of [5, 1, 3, 4]) expect(await open(caller, minutes * MINUTE_MS)).toHaveProperty('id');
    const refused = await open();
    const known = await ends();
    expect(known).toHaveLength(4);
    expect(refused).toEqual({ opensAt: known[0] });
    const leftMs = (known[0]?.getTime() ?? 0) - (await within(() => store.now())).getTime();
    expect(leftMs).toBeLessThanOrEqual(MINUTE_MS);
  });

  test('count no longer once they have lasted as long as they were asked for', async () => {
    for (let n = 0; n < 4; n += 1) await open(caller, 0);
    expect(await ends()).toEqual([]);
    expect(await open()).toHaveProperty('id');
  });

  test('are those of one workspace, also for a session that has moved to another', async () => {
    const opened = [];
    for (let n = 0; n < 4; n += 1) opened.push(await open());
    const elsewhere = { ...caller, ws: randomUUID() };
    expect(await ends(elsewhere)).toEqual([]);
    expect(await open(elsewhere)).toHaveProperty('id');

    const [first] = opened;
    if (first === undefined || !('id' in first)) throw new Error('no stream was opened');
    await within(() => streams.close(caller, first.id));
    expect(await ends()).toHaveLength(3);
    expect(await open()).toHaveProperty('id');
  });
});

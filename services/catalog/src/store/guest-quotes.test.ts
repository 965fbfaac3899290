import { randomUUID } from 'node:crypto';
import { Deadline } from '@cds/service';
import { proves, sameStore, type TestStore, testStore } from '@cds/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../domain/constants.js';
import { GuestQuotes } from './guest-quotes.js';

type Stored = { _id: string; at: { at: Date; attempt: string }[]; seen_at: Date; drop_at: Date };

const WEEK_MS = 7 * DAY_MS;
/** Calls at once, from each of so many replicas. */
const CALLS = 40;
const REPLICAS = 3;

describe('the quotes of a guest (docs/reliability.md#rolling-limits)', () => {
  let opened: TestStore;
  let others: TestStore[];
  let quotes: GuestQuotes;
  let address: string;

  beforeAll(async () => {
    opened = await testStore('catalog_guest_quotes');
    quotes = new GuestQuotes(opened.store);
    others = await Promise.all(Array.from({ length: REPLICAS - 1 }, () => sameStore(opened.store)));
    await opened.store.migrate();
  });
  afterAll(async () => {
    for (const other of others) await other.drop();
    await opened.drop();
  });
  beforeEach(() => {
    address = randomUUID();
  });

  const rows = () => opened.store.db.collection<Stored>('guest_quotes');
  const stored = async (): Promise<Stored> => {
    const row = await rows().findOne({ _id: address });
    if (row === null) throw new Error('nothing is stored');
    return row;
  };
  const book = (of = quotes, attempt: string = randomUUID()) => of.book(address, attempt);
  const bookAll = async () => {
    for (let left = 2; left >= 0; left -= 1) expect(await book()).toEqual({ granted: true, left });
  };
  /** As if so much time had passed for this address. */
  const passed = async (ms: number) => {
    const earlier = (of: string) => ({ $subtract: [of, ms] });
    const at = { $map: { input: '$at', as: 'one', in: { at: earlier('$$one.at'), attempt: '$$one.attempt' } } };
    await rows().updateOne({ _id: address }, [
      { $set: { at, seen_at: earlier('$seen_at'), drop_at: earlier('$drop_at') } },
    ]);
  };

  it('are three in any seven days, and the next one when the oldest leaves the window', async () => {
    await book();
    await passed(2 * DAY_MS);
    await book();
    await book();

    const refused = await book();
    if (refused.granted) throw new Error('a fourth quote was granted');
    const [oldest] = (await stored()).at;
    expect(refused.resetsAt.getTime()).toBe((oldest?.at.getTime() ?? 0) + WEEK_MS);
    expect(refused.resetsAt.getTime() - refused.seenAt.getTime()).toBeLessThanOrEqual(5 * DAY_MS);
    expect(await quotes.left(address)).toEqual({ left: 0, resetsAt: refused.resetsAt });

    await passed(5 * DAY_MS);
    expect((await quotes.left(address)).left).toBe(1);
    expect(await book()).toEqual({ granted: true, left: 0 });
    expect((await book()).granted).toBe(false);
  });

  it('open again no sooner than announced', async () => {
    await bookAll();
    const refused = await book();
    if (refused.granted) throw new Error('a fourth quote was granted');

    await passed(WEEK_MS - 60_000);
    expect((await book()).granted).toBe(false);
    await passed(60_000);
    expect((await book()).granted).toBe(true);
  });

  it('are left untouched by a refusal', async () => {
    await bookAll();
    const { at } = await stored();
    await book();
    expect((await stored()).at).toEqual(at);
  });

  it('count a repeated attempt once, also when nothing is left', async () => {
    expect(await book(quotes, 'first')).toEqual({ granted: true, left: 2 });
    expect(await book(quotes, 'first')).toEqual({ granted: true, left: 2 });
    await book();
    await book();
    expect(await book(quotes, 'first')).toEqual({ granted: true, left: 0 });
    expect((await book(quotes, 'another')).granted).toBe(false);
  });

  it('keep the attempt as a value, never as an expression', async () => {
    await book(quotes, '$seen_at');
    expect((await stored()).at).toEqual([{ at: expect.any(Date), attempt: '$seen_at' }]);
  });

  it('never go back in time with a command that waited', async () => {
    await bookAll();
    await rows().updateOne({ _id: address }, [{ $set: { seen_at: { $add: ['$$NOW', 5_000] } } }]);
    const { seen_at: seen } = await stored();
    await book();
    expect((await stored()).seen_at).toEqual(seen);
  });

  it('are forgotten once they left the window', async () => {
    await book();
    const { at, drop_at: dropped } = await stored();
    expect(dropped.getTime()).toBe((at[0]?.at.getTime() ?? 0) + WEEK_MS);
    const [ttl] = (await rows().indexes()).filter(({ key }) => 'drop_at' in key);
    expect(ttl).toMatchObject({ expireAfterSeconds: 0 });
  });

  it('are all there for an address that never asked, without a row', async () => {
    expect(await quotes.left(address)).toEqual({ left: 3, resetsAt: null });
    expect(await rows().findOne({ _id: address })).toBeNull();
  });

  it('are exactly three when every replica asks at once', async () => {
    proves('limits.guest-quotes');
    const replicas = [quotes, ...others.map(({ store }) => new GuestQuotes(store))];
    for (let round = 0; round < 5; round += 1) {
      address = randomUUID();
      const answers = await Deadline.in(60_000).run(() =>
        Promise.all(replicas.flatMap((replica) => Array.from({ length: CALLS }, () => book(replica)))),
      );
      const granted = answers.filter((answer) => answer.granted);
      expect(granted.map(({ left }) => left).sort()).toEqual([0, 1, 2]);
      expect((await stored()).at).toHaveLength(3);
      expect((await quotes.left(address)).left).toBe(0);
    }
  }, 60_000);
});

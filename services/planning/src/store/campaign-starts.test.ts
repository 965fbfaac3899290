import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CAMPAIGN_STARTS, START_WINDOW_MS } from '../domain/constants.js';
import { bookStart, type StartsRow } from './campaign-starts.js';

/** Starts per run of the comparison; nightly runs take many more (docs/reliability.md#layers). */
const INPUTS = 300;

/** What the statement decides, stated a second way. */
const slidingWindow = (at: readonly Date[], now: Date, windowMs: number, most: number) => {
  const live = at.filter((time) => time.getTime() > now.getTime() - windowMs);
  const granted = live.length < most;
  const oldest = live.reduce<Date | null>((least, time) => (least === null || time < least ? time : least), null);
  return {
    at: granted ? [...live, now] : live,
    granted,
    resets_at: oldest === null ? null : new Date(oldest.getTime() + windowMs),
  };
};

describe('the limit on campaign starts (docs/reliability.md#rolling-limits; I37)', () => {
  let opened: Awaited<ReturnType<typeof testStore>>;
  beforeAll(async () => {
    opened = await testStore('campaign_starts');
  });
  afterAll(() => opened.drop());

  it('decides on mongod like its reference, and accepts again at resets_at and not a moment before (I42)', async () => {
    const rows = opened.store.db.collection<StartsRow>('reference');
    const now = new Date('2026-11-21T12:00:00.000Z');
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let input = 0; input < INPUTS; input += 1) {
      // Every third time is on an edge of the window.
      const at = Array.from(
        { length: random(6) },
        () =>
          new Date(now.getTime() - (random(3) === 0 ? START_WINDOW_MS - 1 + random(3) : random(2 * START_WINDOW_MS))),
      );
      const row = { _id: String(input), ws: 'w', at, n: 5, granted: false, oldest: null, asked_at: now };
      await rows.insertOne(row);
      const after = await rows.findOneAndUpdate({ _id: row._id }, bookStart(now), { returnDocument: 'after' });
      const reference = slidingWindow(at, now, START_WINDOW_MS, CAMPAIGN_STARTS);
      expect(after?.granted).toBe(reference.granted);
      expect(after?.at).toEqual(reference.at);
      expect(after?.n).toBe(reference.granted ? 6 : 5);
      const resets = after?.oldest == null ? null : new Date(after.oldest.getTime() + START_WINDOW_MS);
      expect(resets).toEqual(reference.resets_at);
      if (reference.at.length !== CAMPAIGN_STARTS || reference.granted || resets === null) continue;
      const grantsAt = async (time: Date) =>
        (await rows.findOneAndUpdate({ _id: row._id }, bookStart(time), { returnDocument: 'after' }))?.granted;
      expect(await grantsAt(new Date(resets.getTime() - 1))).toBe(false);
      expect(await grantsAt(resets)).toBe(true);
    }
  });
});

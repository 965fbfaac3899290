import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { slidingWindow } from '../domain/campaign/sliding-window.js';
import { CAMPAIGN_STARTS, START_WINDOW_MS } from '../domain/constants.js';
import { bookStart, type StartsRow } from './campaign-starts.js';

/** Starts per run of the comparison; nightly runs take many more (docs/reliability.md#layers). */
const INPUTS = 300;

describe('the limit on campaign starts (docs/reliability.md#rolling-limits; I37)', () => {
  let opened: Awaited<ReturnType<typeof testStore>>;
  beforeAll(async () => {
    opened = await testStore('campaign_starts');
  });
  afterAll(() => opened.drop());

  it('decides on mongod like its reference implementation', async () => {
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
    }
  });
});

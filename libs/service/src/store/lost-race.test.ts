import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Deadline } from '../deadline/deadline.js';
import { LostRace, retryLostRaces } from './lost-race.js';

test('of eight writers at a time on one row, at most one in a hundred is asked to retry', async () => {
  let version = 0;
  let refused = 0;
  const edit = () =>
    retryLostRaces(Deadline.in(10_000), async () => {
      const loaded = version;
      await delay(2 + 4 * Math.random());
      if (version !== loaded) throw new LostRace('row');
      version += 1;
    }).catch(() => {
      refused += 1;
    });
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let round = 0; round < 25; round += 1) await edit();
    }),
  );
  expect(version + refused).toBe(200);
  expect(refused).toBeLessThanOrEqual(2);
}, 30_000);

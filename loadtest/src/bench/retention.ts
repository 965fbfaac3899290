import { setTimeout as delay } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import type { Stack } from '../../../tools/lib/stack.js';
import { filledOf } from './row-filling.js';
import { say } from './settings.js';

/** How many rows the database removed that were kept for long enough, and how many a second. */
export type Removed = { removed: number; seconds: number; 'rows a second': number };

const POLL_MS = 250;
const TIMEOUT_MS = 600_000;
/** How often the database looks for expired rows; it does so each minute by default. */
const [LOOKS_EVERY_S, LOOKS_BY_DEFAULT_S] = [1, 60];
const LONG_AGO = new Date('2001-01-01T00:00:00.000Z');

/** Lets the older half of the filled rows expire at once, and measures how fast the database removes them. */
export const expireHalf = async (client: MongoClient, stack: Stack): Promise<Removed> => {
  const admin = client.db('admin');
  const set = (parameter: Record<string, unknown>) => admin.command({ setParameter: 1, ...parameter });
  const removedSoFar = async (): Promise<number> =>
    Number((await admin.command({ serverStatus: 1 }))['metrics'].ttl.deletedDocuments);
  const filled = filledOf(client, stack).flatMap(({ kind: { days, expiry }, title, rows }) =>
    expiry === null ? [] : [{ title, rows, days, ...expiry }],
  );
  try {
    await set({ ttlMonitorEnabled: false });
    for (const { title, rows, field, among, days, daysAfter } of filled) {
      say(`letting half of ${title} expire`);
      const middle = new Date(Date.now() + (daysAfter - days / 2) * 86_400_000);
      await rows.updateMany({ ...among, [field]: { $lt: middle } }, { $set: { [field]: LONG_AGO } });
    }
    say('removing expired rows');
    const before = await removedSoFar();
    await set({ ttlMonitorSleepSecs: LOOKS_EVERY_S });
    await set({ ttlMonitorEnabled: true });
    // The pause that the database was in goes on to its end.
    let began = performance.now();
    const end = began + TIMEOUT_MS;
    while ((await removedSoFar()) === before && performance.now() < end) {
      began = performance.now();
      await delay(POLL_MS);
    }
    for (const { title, rows, field, among } of filled)
      while ((await rows.findOne({ ...among, [field]: LONG_AGO }, { projection: { _id: 1 } })) !== null) {
        if (performance.now() > end) throw new Error(`expired rows of ${title} are still there`);
        await delay(POLL_MS);
      }
    const seconds = (performance.now() - began) / 1_000;
    const removed = (await removedSoFar()) - before;
    return { removed, seconds: Number(seconds.toFixed(1)), 'rows a second': Math.round(removed / seconds) };
  } finally {
    await set({ ttlMonitorSleepSecs: LOOKS_BY_DEFAULT_S });
    await set({ ttlMonitorEnabled: true });
  }
};

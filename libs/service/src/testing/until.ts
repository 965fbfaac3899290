import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';

const PAUSE_MS = 20;

/** Asks until there is an answer, neither null nor false. The test fails when none came in time. */
export const until = async <T>(
  probe: () => T | null | false | Promise<T | null | false>,
  withinMs = 15_000,
): Promise<T> => {
  for (const end = performance.now() + withinMs; ; await delay(PAUSE_MS)) {
    const found = await probe();
    if (found !== null && found !== false) return found;
    if (performance.now() > end) expect({ found, withinMs }).toEqual({ found: true, withinMs });
  }
};

import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@cds/contracts';
import type { Deadline } from '../deadline/deadline.js';

/** A compare-and-set found another state: load and decide again (docs/reliability.md#plan-edits). */
export class LostRace extends Error {
  constructor(what: string) {
    super(`lost race on ${what}`);
    this.name = 'LostRace';
  }
}

/** How often a lost race is decided again before the caller is asked to retry (docs/reliability.md#plan-edits). */
const TRIES = 20;
const PAUSE_MAX_MS = 200;

/** Repeats `attempt` while it loses a race, after ever longer random pauses; unavailable after `tries` times. */
export const retryLostRaces = async <T>(
  deadline: Deadline | undefined,
  attempt: () => Promise<T>,
  tries = TRIES,
): Promise<T> => {
  for (let lost = 0; ; ) {
    deadline?.check();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      lost += 1;
      if (lost === tries)
        throw unavailable('Other requests are changing the same data. Retry with the same Idempotency-Key.', 1, error);
      await delay(Math.random() * Math.min(8 * 2 ** lost, PAUSE_MAX_MS));
    }
  }
};

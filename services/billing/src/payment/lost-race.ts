import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@cds/contracts';
import { LostRace } from '@cds/service';

const TRIES = 8;

/** Loads, decides and saves again while others change the same order (docs/reliability.md#plan-edits). */
export const retryLostRace = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      if (tries === TRIES) throw unavailable('Others are changing the same order at this moment. Retry.', 1, error);
      await delay(Math.random() * 4 * 2 ** tries);
    }
  }
};

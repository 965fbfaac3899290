import { Deadline, retryLostRaces } from '@cds/service';

/** The payer, the rail and the sweeps may all change one order at the same moment. */
const TRIES = 8;

export const retryOrderRaces = <T>(attempt: () => Promise<T>): Promise<T> =>
  retryLostRaces(Deadline.current(), attempt, TRIES);

import { unavailable } from '@cds/contracts';
import type { Deadline } from '@cds/service';

/** Waits for work until the deadline, then says that its end is unknown; the work itself is not stopped. */
export const within = async <T>(deadline: Deadline, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          unavailable(
            'This request took too long. Retry in a moment; retry a write with the same Idempotency-Key for its result.',
            2,
          ),
        ),
      deadline.remainingMs(),
    );
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};

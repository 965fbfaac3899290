import { setTimeout as delay } from 'node:timers/promises';

export type Timer = { now: () => number; wait: (ms: number) => Promise<unknown> };

const TIMER: Timer = { now: () => performance.now(), wait: (ms) => delay(ms) };

/** More than a sign-in or a sign-up takes, and less than a person notices. */
export const VISIT_STEP_MS = 100;
/** More than looking up a credential takes. */
export const LOOKUP_STEP_MS = 10;

/** Waits until a whole number of steps has passed since `start`. */
export const stepEnd = async (start: number, stepMs: number, { now, wait }: Timer = TIMER): Promise<void> => {
  const end = start + Math.ceil((now() - start) / stepMs) * stepMs;
  while (now() < end) await wait(Math.ceil(end - now()));
};

/** Ends work after a whole number of steps, so that its time reveals nothing (docs/reliability.md#authentication). */
export const evenly =
  <Args extends unknown[], T>(stepMs: number, work: (...args: Args) => Promise<T>, timer: Timer = TIMER) =>
  async (...args: Args): Promise<T> => {
    const start = timer.now();
    try {
      return await work(...args);
    } finally {
      await stepEnd(start, stepMs, timer);
    }
  };

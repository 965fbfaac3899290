import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { AppError } from '@cds/contracts';
import { Alarm } from './alarm.js';

/** The time for a piece of work is over. Whether what it asked for happened is unknown, so a caller may try again. */
export class DeadlineOver extends AppError {
  constructor(options?: { cause?: unknown }) {
    super(
      'unavailable',
      'This request took too long. Retry in a moment; retry a write with the same Idempotency-Key for its result.',
      { retry_after: 2 },
      options,
    );
  }
}

/** Work that runs under a deadline. Once it has ended in time, what it left running behind it is under none. */
type Scope = { readonly deadline: Deadline; ended: boolean };

const scope = new AsyncLocalStorage<Scope | undefined>();

/** One timer for all deadlines that somebody waits for. */
const alarm = new Alarm<Deadline>(25);

/**
 * An absolute end of patience, held on the monotonic clock of this process: a host clock that is wrong or jumps moves
 * no deadline (reliability 3.20). Work that runs under a deadline finds it by `current()`, so that whatever it asks of
 * the database ends with it.
 */
export class Deadline {
  private controller: AbortController | undefined;
  private holders = 0;

  private constructor(private endsAt: number) {}

  static in(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** From an envelope: the remaining time or the absolute end, whichever is sooner; 250 ms of skew are tolerated. */
  static fromWire(wire: { deadline: number; remaining_ms: number }, wallNow: number): Deadline {
    return Deadline.in(Math.min(wire.remaining_ms, wire.deadline - wallNow + 250));
  }

  /** The deadline of the work that is running; none outside any, and none for what goes on after its work has ended. */
  static current(): Deadline | undefined {
    const within = scope.getStore();
    return within === undefined || within.ended ? undefined : within.deadline;
  }

  /** Runs work that goes on after whoever began it was answered, and so must not end with the caller's deadline. */
  static detached<T>(work: () => T): T {
    return scope.run(undefined, work);
  }

  remainingMs(): number {
    return Math.max(0, Math.floor(this.endsAt - performance.now()));
  }

  /** Raises unavailable when the time is over: what runs on would answer nobody. */
  check(): void {
    if (this.remainingMs() <= 0) throw new DeadlineOver();
  }

  /** The sooner of this deadline and `ms` from now. */
  atMost(ms: number): Deadline {
    return new Deadline(Math.min(this.endsAt, performance.now() + ms));
  }

  /** Moves the end to `ms` from now: for work whose every step has its own time. */
  extend(ms: number): void {
    this.endsAt = performance.now() + ms;
  }

  /**
   * Runs `work` under this deadline and answers as it does, or raises DeadlineOver when the time is over. Work that
   * ignores its deadline goes on, but nobody waits for it and it reaches the database no more. What `work` began and did
   * not wait for goes on after an end in time, each statement in its own time.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const within: Scope = { deadline: this, ended: false };
    const end = () => {
      within.ended = this.remainingMs() > 0;
    };
    return this.during((signal) => {
      const running = scope.run(within, work);
      running.then(end, end);
      return abandoned(running, signal);
    });
  }

  /** Hands out a signal that fires at the deadline for as long as `work` runs. */
  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.check();
    this.controller ??= aController();
    this.holders += 1;
    if (this.holders === 1) alarm.set(this, this.endsAt);
    try {
      return await work(this.controller.signal);
    } finally {
      this.holders -= 1;
      if (this.holders === 0) alarm.clear(this);
    }
  }

  /** Called by the alarm; an end that was moved since then is waited for again. */
  ring(): void {
    if (this.holders === 0) return;
    if (performance.now() < this.endsAt) alarm.set(this, this.endsAt);
    else this.controller?.abort(new DeadlineOver());
  }
}

const aController = (): AbortController => {
  const controller = new AbortController();
  // Every statement of a request listens to the one signal of its deadline, each for as long as it runs.
  setMaxListeners(0, controller.signal);
  return controller;
};

/** Waits for `work` until the signal fires, and no longer. */
export const abandoned = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise((resolve, reject) => {
    const over = () => reject(signal.reason as Error);
    signal.addEventListener('abort', over, { once: true });
    const settled = () => signal.removeEventListener('abort', over);
    work.then(
      (value) => {
        settled();
        resolve(value);
      },
      (error: unknown) => {
        settled();
        reject(error as Error);
      },
    );
  });
};

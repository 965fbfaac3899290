import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { AppError } from '@cds/contracts';
import { TimerWheel } from './timer-wheel.js';

/** Work ran out of time. Whether its effect happened is unknown, so the caller may retry. */
export class DeadlineOver extends AppError {
  constructor(options?: { cause?: unknown }) {
    super(
      'unavailable',
      'The request took too long. Retry in a moment; retry a write with the same Idempotency-Key to get its result.',
      { retry_after: 2 },
      options,
    );
  }
}

/** The time that all processes share lies between the two: deadlines are sent as the latest, judged by the earliest. */
export type SharedTime = { earliest: () => number; latest: () => number };

/** The clock of this machine, for a process without a database. */
export const MACHINE_TIME: SharedTime = { earliest: () => Date.now(), latest: () => Date.now() };

/** Work that runs under a deadline. Once it has ended in time, whatever it left running has no deadline. */
type Scope = { readonly deadline: Deadline; ended: boolean };

const scope = new AsyncLocalStorage<Scope | undefined>();

/** One timer for all deadlines that somebody waits for. */
const timers = new TimerWheel<Deadline>(25);

/**
 * Monotonic, so a host clock that jumps does not move it (docs/reliability.md#deadlines). Statements find it by
 * `current()`.
 */
export class Deadline {
  private controller: AbortController | undefined;
  private holders = 0;

  private constructor(private endsAt: number) {}

  static in(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** From a frame: the remaining time or the absolute end, whichever is sooner, with 250 ms allowed for drift. */
  static fromWire(wire: { deadline: number; remaining_ms: number }, time: SharedTime): Deadline {
    return Deadline.in(Math.min(wire.remaining_ms, wire.deadline - time.earliest() + 250));
  }

  /** The deadline of the work that is running; undefined outside any, and for what outlives its work. */
  static current(): Deadline | undefined {
    const current = scope.getStore();
    return current === undefined || current.ended ? undefined : current.deadline;
  }

  /** Runs work that may outlive the request that began it, free of the caller's deadline. */
  static detached<T>(work: () => T): T {
    return scope.run(undefined, work);
  }

  remainingMs(): number {
    return Math.max(0, Math.floor(this.endsAt - performance.now()));
  }

  check(): void {
    if (this.remainingMs() <= 0) throw new DeadlineOver();
  }

  atMost(ms: number): Deadline {
    return new Deadline(Math.min(this.endsAt, performance.now() + ms));
  }

  /** Moves the end to `ms` from now, for work whose every step has its own time limit. */
  extend(ms: number): void {
    this.endsAt = performance.now() + ms;
  }

  /**
   * Throws DeadlineOver when time is up; work that runs on then fails at its statements. Whatever finished work left
   * running continues without this deadline.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const own: Scope = { deadline: this, ended: false };
    const end = () => {
      own.ended = this.remainingMs() > 0;
    };
    return this.during((signal) => {
      const running = scope.run(own, work);
      running.then(end, end);
      return untilAborted(running, signal);
    });
  }

  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.check();
    this.controller ??= aController();
    this.holders += 1;
    if (this.holders === 1) timers.set(this, this.endsAt);
    try {
      return await work(this.controller.signal);
    } finally {
      this.holders -= 1;
      if (this.holders === 0) timers.clear(this);
    }
  }

  /** Called by the timer wheel. If the end was moved meanwhile, waits again. */
  expire(): void {
    if (this.holders === 0) return;
    if (performance.now() < this.endsAt) timers.set(this, this.endsAt);
    else this.controller?.abort(new DeadlineOver());
  }
}

const aController = (): AbortController => {
  const controller = new AbortController();
  // Every statement of a request listens to this one signal while it runs; there is no limit to warn about.
  setMaxListeners(0, controller.signal);
  return controller;
};

export const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise((resolve, reject) => {
    const over = () => reject(signal.reason as Error);
    signal.addEventListener('abort', over, { once: true });
    const stopListening = () => signal.removeEventListener('abort', over);
    work.then(
      (value) => {
        stopListening();
        resolve(value);
      },
      (error: unknown) => {
        stopListening();
        reject(error as Error);
      },
    );
  });
};

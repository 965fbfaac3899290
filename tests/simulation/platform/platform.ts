import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Scheduler } from './scheduler.js';

/**
 * Node's own clock, timers and randomness as ports: while a run is on, whatever the code under test takes of them comes
 * from its scheduler, also where somebody forgets that there is one. A timer belongs to whoever set it, and dies with
 * it. Signatures that another thread would compute are computed at once, since no seed decides when a thread ends.
 */
let running: Scheduler | null = null;

class Timer {
  private step: ReturnType<Scheduler['after']> | undefined;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly ms: number,
    private readonly every: boolean,
    private readonly work: () => void,
    private readonly actor = scheduler.current,
  ) {
    this.arm();
  }

  private arm(): void {
    this.step = this.scheduler.after(this.ms, this.actor, '', () => {
      if (this.every) this.arm();
      this.work();
    });
  }

  clear(): void {
    if (this.step !== undefined) this.scheduler.cancel(this.step);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

type Work = (...args: unknown[]) => void;

/** Replaces what is process-wide by what asks the running scheduler first; nothing changes between runs. */
export const installPlatform = (): void => {
  const real = {
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    setImmediate: globalThis.setImmediate,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
    monotonic: performance.now.bind(performance),
    wall: Date.now.bind(Date),
    random: Math.random.bind(Math),
    delay: timersPromises.setTimeout,
    randomBytes: crypto.randomBytes,
    randomUUID: crypto.randomUUID,
    subtleSign: crypto.webcrypto.subtle.sign.bind(crypto.webcrypto.subtle),
  };
  const timer =
    (every: boolean, otherwise: (work: Work, ms?: number, ...args: unknown[]) => unknown) =>
    (work: Work, ms = 0, ...args: unknown[]) =>
      running === null
        ? otherwise(work, ms, ...args)
        : new Timer(running, Math.max(every ? 1 : 0, ms), every, () => work(...args));
  const clear = (otherwise: (timer: never) => void) => (one: unknown) =>
    one instanceof Timer ? one.clear() : otherwise(one as never);

  Object.assign(globalThis, {
    setTimeout: timer(false, real.setTimeout as never),
    setInterval: timer(true, real.setInterval as never),
    setImmediate: (work: Work, ...args: unknown[]) =>
      running === null ? real.setImmediate(work, ...args) : new Timer(running, 0, false, () => work(...args)),
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
  });
  performance.now = () => (running === null ? real.monotonic() : running.now);
  Date.now = () => (running === null ? real.wall() : Math.floor(running.wall + running.current.skewMs));
  Math.random = () => (running === null ? real.random() : running.random.next());
  Object.assign(timersPromises, {
    setTimeout: (ms: number, value: unknown, options: never) => {
      const scheduler = running;
      if (scheduler === null) return real.delay(ms, value, options);
      return new Promise((resolve) => {
        scheduler.after(ms, scheduler.current, '', () => resolve(value));
      });
    },
  });
  Object.assign(crypto, {
    randomBytes: ((size: number) =>
      running === null ? real.randomBytes(size) : running.random.bytes(size)) as typeof crypto.randomBytes,
    randomUUID: ((options?: { disableEntropyCache?: boolean }) =>
      running === null ? real.randomUUID(options) : uuidOf(running.random.bytes(16))) as typeof crypto.randomUUID,
  });
  Object.assign(crypto.webcrypto.subtle, {
    sign: (...sent: Parameters<typeof real.subtleSign>) =>
      running === null ? real.subtleSign(...sent) : Promise.resolve(UNREAD_SIGNATURE),
  });
  syncBuiltinESMExports();
};

/** The signature of everything that is signed in a run: nobody there checks one. */
const UNREAD_SIGNATURE = new ArrayBuffer(64);

const uuidOf = (bytes: Buffer): string => {
  bytes[6] = 0x40 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Runs something under a scheduler; one at a time in a process. */
export const under = async <T>(scheduler: Scheduler, work: () => Promise<T>): Promise<T> => {
  if (running !== null) throw new Error('a simulated run is on already');
  running = scheduler;
  try {
    return await work();
  } finally {
    running = null;
  }
};

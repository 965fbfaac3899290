import type { Random } from '../random.js';
import type { System } from '../system.js';

/** Milliseconds measured while a fault lasted, by what they measure. */
export type Readings = Readonly<Record<string, readonly number[]>>;

/** Waits until the fault has ended and the system has recovered from it; throws when that takes too long. */
export type Recovery = () => Promise<Readings>;

/** One fault. All its draws are made before the run, so a seed names the faults, their order and their lengths. */
export type Fault = {
  /** What it hits: a process, the database or the bus. Two faults never hit one target at once. */
  target: string;
  /** Inflicts it. What it hit in detail is `hit`, for the report. */
  inflict: (system: System) => Promise<{ hit: string; recovery: Recovery }>;
};

/** A kind of fault: how one is drawn, and how long the system may take. */
export type FaultKind = {
  draw: (random: Random) => Fault;
  /** The most that a reading may be at the 99th percentile, in milliseconds, over faults that were alone. */
  limits?: Readonly<Record<string, number>>;
};

import { randomOf } from '@cds/service/testing';

/** A seeded stream of numbers, so that a failed run can be replayed. */
export class Random {
  /** In [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomOf(seed);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  shuffled<T>(values: readonly T[]): T[] {
    const left = [...values];
    return values.map(() => left.splice(Math.floor(this.next() * left.length), 1)[0] as T);
  }

  /** A stream of its own, so that one actor's draws do not move another's. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 4294967296));
  }
}

import { unavailable } from '@cds/contracts';

/**
 * An absolute end of patience, held on the monotonic clock of this process: a host clock that is wrong or jumps moves
 * no deadline (reliability 3.20).
 */
export class Deadline {
  private constructor(private readonly endsAt: number) {}

  static in(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** From an envelope: the remaining time or the absolute end, whichever is sooner; 250 ms of skew are tolerated. */
  static fromWire(wire: { deadline: number; remaining_ms: number }, wallNow: number): Deadline {
    return Deadline.in(Math.min(wire.remaining_ms, wire.deadline - wallNow + 250));
  }

  remainingMs(): number {
    return Math.max(0, Math.floor(this.endsAt - performance.now()));
  }

  /** Raises unavailable when the time is over: what runs on would answer nobody. */
  check(): void {
    if (this.remainingMs() <= 0)
      throw unavailable('The time for this request is over. Retry with the same Idempotency-Key.', 2);
  }

  /** The sooner of this deadline and `ms` from now. */
  atMost(ms: number): Deadline {
    return new Deadline(Math.min(this.endsAt, performance.now() + ms));
  }
}

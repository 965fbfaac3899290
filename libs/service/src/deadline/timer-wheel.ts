type Expiring = { expire(): void };

// The process's own timers, whatever replaces the globals later: a wheel that never ticks again would stop every
// deadline.
const { setInterval: every, clearInterval: stop } = globalThis;

/** Many timeouts on one coarse timer: at most two ticks late, never early, and much cheaper than Node's own. */
export class TimerWheel<T extends Expiring> {
  private readonly slots = new Map<number, Set<T>>();
  private readonly slotOf = new Map<T, number>();
  private next = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly tickMs: number) {}

  get size(): number {
    return this.slotOf.size;
  }

  set(one: T, at: number): void {
    this.clear(one);
    if (this.timer === undefined) {
      this.next = Math.floor(performance.now() / this.tickMs);
      this.timer = every(() => this.tick(), this.tickMs);
      this.timer.unref();
    }
    const slot = Math.max(this.next, Math.ceil(at / this.tickMs));
    const waiting = this.slots.get(slot);
    if (waiting === undefined) this.slots.set(slot, new Set([one]));
    else waiting.add(one);
    this.slotOf.set(one, slot);
  }

  clear(one: T): void {
    const slot = this.slotOf.get(one);
    if (slot === undefined) return;
    this.slotOf.delete(one);
    const waiting = this.slots.get(slot);
    waiting?.delete(one);
    if (waiting?.size === 0) this.slots.delete(slot);
  }

  private tick(): void {
    const now = Math.floor(performance.now() / this.tickMs);
    for (; this.next <= now; this.next += 1) {
      const due = this.slots.get(this.next);
      if (due === undefined) continue;
      this.slots.delete(this.next);
      for (const one of due) {
        this.slotOf.delete(one);
        one.expire();
      }
    }
    if (this.slotOf.size > 0) return;
    stop(this.timer);
    this.timer = undefined;
  }
}

import { describe, expect, it } from '@jest/globals';
import { Deadline, DeadlineOver } from './deadline.js';

const never = () => new Promise<never>(() => undefined);

describe('a deadline', () => {
  it('stops waiting for work that ignores it soon after its time, never before', async () => {
    const started = performance.now();
    await expect(Deadline.in(60).run(never)).rejects.toBeInstanceOf(DeadlineOver);
    expect(performance.now() - started).toBeGreaterThanOrEqual(60);
  });

  it('returns the result of its work', async () => {
    await expect(Deadline.in(5_000).run(async () => 7)).resolves.toBe(7);
    await expect(Deadline.in(5_000).run(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  });

  it('starts no work once it is over', async () => {
    let begun = false;
    const late = Deadline.in(0).run(async () => {
      begun = true;
    });
    await expect(late).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 2 } });
    expect(begun).toBe(false);
  });

  it('is found by the work under it, innermost first, and not by detached work', async () => {
    const outer = Deadline.in(5_000);
    const inner = outer.atMost(1_000);
    const found: unknown[] = [];
    await outer.run(async () => {
      found.push(Deadline.current());
      await inner.run(async () => found.push(Deadline.current()));
      await Deadline.detached(async () => found.push(Deadline.current()));
      found.push(Deadline.current());
    });
    expect(found).toEqual([outer, inner, undefined, outer]);
    expect(Deadline.current()).toBeUndefined();
  });

  it('does not apply to what its work left running after ending in time', async () => {
    const found: unknown[] = [];
    const deadline = Deadline.in(5_000);
    let goOn: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let behind: Promise<void> = Promise.resolve();
    await deadline.run(async () => {
      behind = answered.then(async () => void found.push(Deadline.current()));
      found.push(Deadline.current());
    });
    goOn();
    await behind;
    expect(found).toEqual([deadline, undefined]);
  });

  it('still applies to work that overran it', async () => {
    const deadline = Deadline.in(40);
    let goOn: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const found = new Promise((resolve) => {
      void deadline
        .run(async () => {
          await over;
          resolve(Deadline.current());
        })
        .catch(goOn);
    });
    expect(await found).toBe(deadline);
  });

  it('fires one signal for all that wait, and none for work that is done', async () => {
    const deadline = Deadline.in(80);
    const signals = new Set<AbortSignal>();
    const waiting = Array.from({ length: 50 }, () =>
      deadline.during((signal) => {
        signals.add(signal);
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      }),
    );
    const ends = await Promise.allSettled(waiting);
    expect(ends.every((end) => end.status === 'rejected' && end.reason instanceof DeadlineOver)).toBe(true);
    expect(signals.size).toBe(1);

    const done = Deadline.in(50);
    const signal = await done.during(async (given) => given);
    await Deadline.in(150)
      .run(never)
      .catch(() => undefined);
    expect(signal.aborted).toBe(false);
  });

  it('ends at its new end after it was moved', async () => {
    const started = performance.now();
    const deadline = Deadline.in(50);
    const work = deadline.run(never);
    deadline.extend(150);
    await expect(work).rejects.toBeInstanceOf(DeadlineOver);
    expect(performance.now() - started).toBeGreaterThanOrEqual(150);
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import type { Ctx } from '../bus/context.js';
import { Deadline } from '../deadline/deadline.js';
import { aCtx } from '../testing/context.js';
import { storeSuite } from '../testing/suite.js';
import { Commands, type Run } from './commands.js';

/** A run ends only by its owner or by its expiry (docs/reliability.md#idempotency; I04). */
describe('a run of a command', () => {
  const test = storeSuite('lease', (store) => ({ commands: new Commands(store) }));

  const asking = (): Ctx => aCtx({ command: { id: randomUUID(), fp: 'fp' } });
  const begin = async (ctx: Ctx): Promise<Run> => {
    const run = await test.commands.begin(ctx, 'plan_add_creator');
    if ('ok' in run) throw new Error('the command has ended');
    return run;
  };
  /** The current owner; a run begins without waiting for a majority. */
  const ownerOf = async (ctx: Ctx): Promise<string | undefined> =>
    (await test.commands.rows.findOne({ _id: ctx.command?.id ?? '' }, { readConcern: { level: 'local' } }))?.run?.owner;
  /** Expires a run, as if its runner had hung. */
  const runOut = (ctx: Ctx) =>
    test.commands.rows.updateOne({ _id: ctx.command?.id ?? '' }, { $set: { 'run.until': new Date(0) } });

  it('is free at once when its owner releases it', async () => {
    const ctx = asking();
    const first = await begin(ctx);
    await expect(begin(ctx)).rejects.toMatchObject({ code: 'in_progress' });
    await first.release();
    expect(await ownerOf(ctx)).toBeUndefined();
    const second = await begin(ctx);
    await second.release();
  });

  it('stays with the new owner when the previous one releases it', async () => {
    const ctx = asking();
    const slow = await begin(ctx);
    await runOut(ctx);
    const taken = await begin(ctx);
    const owner = await ownerOf(ctx);
    expect(owner).toEqual(expect.any(String));

    await slow.release();
    expect(await ownerOf(ctx)).toBe(owner);
    await expect(begin(ctx)).rejects.toMatchObject({ code: 'in_progress' });
    await taken.release();
    expect(await ownerOf(ctx)).toBeUndefined();
  });

  it('is released by a run that timed out, so that its retry runs at once', async () => {
    const ctx = asking();
    const time = Deadline.in(1_000);
    await new Promise<void>((released) => {
      const run = time.run(async () => {
        const held = await begin(ctx);
        while (time.remainingMs() > 0) await delay(10);
        await held.release();
        released();
      });
      void run.catch(() => undefined);
    });
    const again = await begin(ctx);
    await again.release();
  });

  it('is released once; a second release does not affect the next owner', async () => {
    const ctx = asking();
    const first = await begin(ctx);
    await first.release();
    const second = await begin(ctx);
    await first.release();
    await expect(begin(ctx)).rejects.toMatchObject({ code: 'in_progress' });
    await second.release();
  });

  it('is renewed every 2 s until it ends', async () => {
    const ctx = asking();
    const intervals = jest.spyOn(globalThis, 'setInterval');
    const ended = jest.spyOn(globalThis, 'clearInterval');
    const updates = jest.spyOn(test.commands.rows, 'updateOne');
    try {
      const run = await begin(ctx);
      const at = intervals.mock.calls.findIndex(([, everyMs]) => everyMs === 2_000);
      await runOut(ctx);
      updates.mockClear();
      intervals.mock.calls[at]?.[0]();
      await updates.mock.results[0]?.value;
      await expect(begin(ctx)).rejects.toMatchObject({ code: 'in_progress' });

      run.end();
      expect(ended.mock.calls.map(([interval]) => interval)).toContain(intervals.mock.results[at]?.value);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('does not affect another command', async () => {
    const [one, other] = [asking(), asking()];
    const held = await begin(one);
    const free = await begin(other);
    await free.release();
    await expect(begin(one)).rejects.toMatchObject({ code: 'in_progress' });
    await held.release();
  });

  it('is taken over by exactly one of many once it has expired', async () => {
    const ctx = asking();
    await begin(ctx);
    await runOut(ctx);
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => begin(ctx)));
    const taken = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(taken).toHaveLength(1);
    await taken[0]?.release();
  });
});

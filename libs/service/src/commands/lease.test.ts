import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Ctx } from '../bus/context.js';
import { Deadline } from '../bus/deadline.js';
import type { Collection } from '../store/collection.js';
import { aCtx } from '../testing/context.js';
import { testStore } from '../testing/store.js';
import { Commands } from './commands.js';

type Lease = { _id: string; owner: string; until: Date };

/** The lease of a run ends only by its owner or by its expiry (docs/reliability.md#idempotency; I04). */
describe('the lease of a command', () => {
  let commands: Commands;
  let leases: Collection<Lease>;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const test = await testStore('lease');
    commands = new Commands(test.store);
    leases = test.store.db.collection<Lease>('command_leases');
    await test.store.migrate();
    drop = test.drop;
  });
  afterAll(() => drop());

  const asking = (): Ctx => aCtx({ command: { id: randomUUID(), fp: 'fp' } });
  /** The current row; a lease does not wait for a majority. */
  const rowOf = (ctx: Ctx) => leases.findOne({ _id: ctx.command?.id ?? '' }, { readConcern: { level: 'local' } });
  /** Expires a lease, as if its runner had hung. */
  const runOut = (ctx: Ctx) => leases.updateOne({ _id: ctx.command?.id ?? '' }, { $set: { until: new Date(0) } });

  it('is free at once when its owner releases it', async () => {
    const ctx = asking();
    const first = await commands.lease(ctx);
    await expect(commands.lease(ctx)).rejects.toMatchObject({ code: 'in_progress' });
    await first.release();
    expect(await rowOf(ctx)).toMatchObject({ owner: '' });
    const second = await commands.lease(ctx);
    await second.release();
  });

  it('stays with the new owner when the previous one releases it', async () => {
    const ctx = asking();
    const slow = await commands.lease(ctx);
    await runOut(ctx);
    const taken = await commands.lease(ctx);
    const held = await rowOf(ctx);

    await slow.release();
    expect(await rowOf(ctx)).toMatchObject({ owner: held?.owner });
    await expect(commands.lease(ctx)).rejects.toMatchObject({ code: 'in_progress' });
    await taken.release();
    expect(await rowOf(ctx)).toMatchObject({ owner: '' });
  });

  it('is released by a run that timed out, so that its retry runs at once', async () => {
    const ctx = asking();
    const time = Deadline.in(1_000);
    await new Promise<void>((released) => {
      const run = time.run(async () => {
        const held = await commands.lease(ctx);
        while (time.remainingMs() > 0) await delay(10);
        await held.release();
        released();
      });
      void run.catch(() => undefined);
    });
    const again = await commands.lease(ctx);
    await again.release();
  });

  it('is released once; a second release does not affect the next owner', async () => {
    const ctx = asking();
    const first = await commands.lease(ctx);
    await first.release();
    const second = await commands.lease(ctx);
    await first.release();
    await expect(commands.lease(ctx)).rejects.toMatchObject({ code: 'in_progress' });
    await second.release();
  });

  it('does not affect another command', async () => {
    const [one, other] = [asking(), asking()];
    const held = await commands.lease(one);
    const free = await commands.lease(other);
    await free.release();
    await expect(commands.lease(one)).rejects.toMatchObject({ code: 'in_progress' });
    await held.release();
  });

  it('is taken over by exactly one of many once it has expired', async () => {
    const ctx = asking();
    await commands.lease(ctx);
    await runOut(ctx);
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => commands.lease(ctx)));
    const taken = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(taken).toHaveLength(1);
    await taken[0]?.release();
  });
});

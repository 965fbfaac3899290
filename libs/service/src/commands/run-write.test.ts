import { randomUUID } from 'node:crypto';
import { conflict, notFound, unavailable } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import type { Ctx } from '../bus/context.js';
import { LostRace } from '../store/lost-race.js';
import { aCtx } from '../testing/context.js';
import { HOSTILE_TEXTS } from '../testing/hostile-texts.js';
import { aShell, storeSuite } from '../testing/suite.js';
import { commandId, requestFingerprint } from './canonical.js';
import { change } from './change.js';
import type { Outcome } from './commands.js';
import { runWrite } from './run-write.js';

/** Idempotency on a real MongoDB (docs/reliability.md#idempotency; I01 to I04, I08). */
describe('a write under its Idempotency-Key', () => {
  const shell = storeSuite('commands', (store) => ({
    ...aShell(store),
    effects: store.collection<{ _id: string; by: string }>({ name: 'effects' }),
  }));

  const key = randomUUID();
  const asking = (idempotencyKey: string, input: Record<string, unknown> = { a: 1 }): Ctx =>
    aCtx({ key, command: { id: commandId(key, idempotencyKey), fp: requestFingerprint('plan_add_creator', input) } });

  /** One effect: a row of its own, so that a repeated effect is visible. */
  const once = (ctx: Ctx, by: string): Promise<Outcome> =>
    runWrite(shell, ctx, 'plan_add_creator', 201, async () => {
      const id = randomUUID();
      return change(
        { made: id },
        { save: async (tx) => void (await shell.effects.insertOne({ _id: id, by }, tx.options())) },
      );
    });

  const countOf = (by: string) => shell.effects.countDocuments({ by });
  const valueIn = (outcome: Outcome) => (outcome.ok ? outcome.json.toString() : JSON.stringify(outcome.error));

  it('runs once and replays the exact bytes of its answer', async () => {
    proves('idempotency.same-answer', 'idempotency.never-twice');
    const first = await once(asking('replayed-1'), 'replay');
    const second = await once(asking('replayed-1'), 'replay');
    expect(first).toMatchObject({ ok: true, status: 201, replayed: false });
    expect(second).toMatchObject({ ok: true, status: 201, replayed: true });
    expect(valueIn(second)).toBe(valueIn(first));
    expect(await countOf('replay')).toBe(1);
  });

  it('refuses another request under the same key, and reveals nothing of the first', async () => {
    proves('errors.409-idempotency-conflict');
    await once(asking('other-request'), 'other');
    expect(await once(asking('other-request', { a: 2 }), 'other')).toEqual({
      ok: false,
      status: 409,
      replayed: false,
      error: { code: 'idempotency_conflict', message: expect.any(String) },
    });
    expect(await countOf('other')).toBe(1);
  });

  it('causes one effect for twenty concurrent requests; the others replay it or must wait', async () => {
    proves('idempotency.never-twice');
    const runs = await Promise.allSettled(Array.from({ length: 20 }, () => once(asking('twenty-at-once'), 'twenty')));
    expect(await countOf('twenty')).toBe(1);
    for (const run of runs) {
      if (run.status === 'rejected')
        expect(run.reason).toMatchObject({ code: 'in_progress', details: { retry_after: 1 } });
      else expect(run.value.ok).toBe(true);
    }
    expect(await once(asking('twenty-at-once'), 'twenty')).toMatchObject({ ok: true, replayed: true });
  });

  it('reports the conflict to another request while the first still runs', async () => {
    let finish: () => void = () => undefined;
    let begun: () => void = () => undefined;
    const decides = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const running = runWrite(shell, asking('still-running'), 'plan_add_creator', 201, async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
        begun();
      });
      return change({}, { save: async () => undefined });
    });
    await decides;
    await expect(once(asking('still-running'), 'running')).rejects.toMatchObject({ code: 'in_progress' });
    await expect(once(asking('still-running', { b: 1 }), 'running')).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
    finish();
    expect(await running).toMatchObject({ ok: true });
  });

  it('stores a business refusal, which a later change of state does not alter', async () => {
    let archived = true;
    const attempt = () =>
      runWrite(shell, asking('refused-1'), 'plan_add_creator', 201, async () => {
        if (archived) throw conflict('archived', 'The campaign is archived.');
        return change({}, { save: async () => undefined });
      });
    expect(await attempt()).toMatchObject({
      ok: false,
      status: 409,
      replayed: false,
      error: { details: { reason: 'archived' } },
    });
    archived = false;
    expect(await attempt()).toMatchObject({
      ok: false,
      status: 409,
      replayed: true,
      error: { details: { reason: 'archived' } },
    });
  });

  /** Deletes a row, as a campaign is deleted; a second run finds nothing to delete. */
  const deleting = (ctx: Ctx, id: string, meanwhile: () => Promise<void> = async () => undefined) => {
    let runs = 0;
    const run = () =>
      runWrite(shell, ctx, 'campaign_delete', 200, async () => {
        runs += 1;
        await meanwhile();
        if ((await shell.effects.findOne({ _id: id })) === null) throw notFound('campaign');
        return change(
          { id },
          {
            save: async (tx) => {
              const { deletedCount } = await shell.effects.deleteOne({ _id: id }, tx.options());
              if (deletedCount === 0) throw new LostRace('campaign');
            },
          },
        );
      });
    return { run, runs: () => runs };
  };
  const aRow = async (): Promise<string> => {
    const id = randomUUID();
    await shell.effects.insertOne({ _id: id, by: 'delete' });
    return id;
  };

  it('replays a run that ended just before another one began, and decides nothing', async () => {
    const ctx = asking('ended-before');
    const [first, second] = [deleting(ctx, await aRow()), deleting(ctx, '')];
    const { commands } = shell;
    const begin = commands.begin.bind(commands);
    commands.begin = async (...of) => {
      commands.begin = begin;
      expect(await first.run()).toMatchObject({ ok: true, replayed: false });
      return begin(...of);
    };
    expect(await second.run()).toMatchObject({ ok: true, status: 200, replayed: true });
    expect([first.runs(), second.runs()]).toEqual([1, 0]);
  });

  it('stores a large answer in a fraction of its bytes, and replays it byte for byte', async () => {
    const ctx = asking('large');
    const line = (place: number) => ({ id: randomUUID(), price_cents: place, label: 'Launch day, post' });
    const answer = { lines: Array.from({ length: 400 }, (_, place) => line(place)) };
    const run = () =>
      runWrite(shell, ctx, 'plan_add_creator', 201, async () => change(answer, { save: async () => {} }));
    await run();
    const row = await shell.commands.rows.findOne({ _id: ctx.command?.id ?? '' });
    expect(mongo.BSON.calculateObjectSize(row ?? {})).toBeLessThan(JSON.stringify(answer).length / 2);
    const again = await run();
    expect(again).toMatchObject({ ok: true, status: 201, replayed: true });
    expect(valueIn(again)).toBe(JSON.stringify(answer));
    // A replica of the previous version does not know packed answers, and its caller asks again.
    expect(row).toMatchObject({ status: 409, headers: {} });
    expect(JSON.parse(Buffer.from(row?.body.buffer ?? []).toString())).toMatchObject({ code: 'in_progress' });
  });

  it('replays an answer that was stored whole, as every one was before', async () => {
    const ctx = asking('whole');
    await once(ctx, 'whole');
    const json = JSON.stringify({ whole: 'x'.repeat(5_000) });
    const body = new mongo.Binary(Buffer.from(json));
    await shell.commands.rows.updateOne({ _id: ctx.command?.id ?? '' }, { $set: { body } });
    expect(valueIn(await once(ctx, 'whole'))).toBe(json);
  });

  it('keeps the answers to operators as they are, since an erasure rewrites them', async () => {
    const ctx = asking('of-operators');
    const answer = { long: 'x'.repeat(5_000) };
    await runWrite(shell, ctx, 'ops_creator_vet', 200, async () => change(answer, { save: async () => {} }));
    const row = await shell.commands.rows.findOne({ _id: ctx.command?.id ?? '' });
    expect(Buffer.from(row?.body.buffer ?? []).toString()).toBe(JSON.stringify(answer));
  });

  it('is answered in_progress by a replica of the version before, which reads the row of a run as an outcome', async () => {
    const ctx = asking('mixed-versions');
    await runWrite(shell, ctx, 'plan_add_creator', 201, async () => {
      const row = await shell.commands.rows.findOne(
        { _id: ctx.command?.id ?? '' },
        { readConcern: { level: 'local' } },
      );
      expect(row).toMatchObject({ fp: ctx.command?.fp, status: 409, headers: {} });
      expect(JSON.parse(Buffer.from(row?.body.buffer ?? []).toString())).toMatchObject({ code: 'in_progress' });
      return change({}, { save: async () => undefined });
    });
    expect(await shell.commands.rows.findOne({ _id: ctx.command?.id ?? '' })).not.toHaveProperty('run');
  });

  it('returns the record of a run that committed while another decided, not the refusal of the other', async () => {
    const ctx = asking('committed-meanwhile');
    const id = await aRow();
    const first = deleting(ctx, id, async () => {
      // The first runner outlives its lease; another one takes over and looks for the same row.
      await shell.commands.rows.updateOne({ _id: ctx.command?.id ?? '' }, { $set: { 'run.until': new Date(0) } });
      begun();
      await awake;
    });
    let begun: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let wake: () => void = () => undefined;
    const awake = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const running = first.run();
    await asleep;
    const second = deleting(ctx, id, async () => {
      wake();
      await running;
    });
    await expect(second.run()).resolves.toMatchObject({ ok: true, status: 200, replayed: true });
    expect(await running).toMatchObject({ ok: true, replayed: false });
    expect(second.runs()).toBe(1);
  });

  it('causes one effect when a run outlives its lease and another one commits meanwhile', async () => {
    const ctx = asking('outlived');
    const others: Outcome[] = [];
    const late = await runWrite(shell, ctx, 'plan_add_creator', 201, async () => {
      await shell.commands.rows.updateOne({ _id: ctx.command?.id ?? '' }, { $set: { 'run.until': new Date(0) } });
      others.push(await once(ctx, 'outlived'));
      const id = randomUUID();
      return change(
        { made: id },
        { save: async (tx) => void (await shell.effects.insertOne({ _id: id, by: 'outlived' }, tx.options())) },
      );
    });
    expect(await countOf('outlived')).toBe(1);
    expect(late).toMatchObject({ ok: true, replayed: true });
    expect(others.map(valueIn)).toEqual([valueIn(late)]);
  });

  it('never stores an error that a retry may cure', async () => {
    let away = true;
    const attempt = () =>
      runWrite(shell, asking('cured-1'), 'plan_add_creator', 201, async () => {
        if (away) throw unavailable('away');
        return change({}, { save: async () => undefined });
      });
    await expect(attempt()).rejects.toMatchObject({ code: 'unavailable' });
    away = false;
    expect(await attempt()).toMatchObject({ ok: true, replayed: false });
  });

  it('decides again after a lost race, without a record or effect of the lost try', async () => {
    let tries = 0;
    const outcome = await runWrite(shell, asking('lost-race'), 'plan_add_creator', 201, async () => {
      tries += 1;
      const mine = tries;
      return change(
        { tries: mine },
        {
          save: async (tx) => {
            await shell.effects.insertOne({ _id: randomUUID(), by: 'race' }, tx.options());
            if (mine < 3) throw new LostRace('plan');
          },
        },
      );
    });
    expect(valueIn(outcome)).toBe('{"tries":3}');
    expect(await countOf('race')).toBe(1);
  });

  it('replays while writes are closed, and refuses a first run', async () => {
    await once(asking('before-closing'), 'closing');
    const closed = { ...asking('before-closing'), switches: { ...aCtx().switches, writes_open: false } };
    expect(await once(closed, 'closing')).toMatchObject({ ok: true, replayed: true });
    const fresh = { ...asking('after-closing'), switches: closed.switches };
    await expect(once(fresh, 'closing')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await countOf('closing')).toBe(1);
  });

  it.each([
    ['approve_plan', 30],
    ['order_cancel', 30],
    ['plan_add_creator', 7],
  ])('replays %s for %i days', async (operation, days) => {
    const ctx = asking(`kept ${operation}`);
    const run = (sinceMs: number) => {
      const networkNow = new Date(ctx.networkNow.getTime() + sinceMs);
      return runWrite(shell, { ...ctx, networkNow }, operation, 200, async () =>
        change({}, { save: async () => undefined }),
      );
    };
    const keptMs = days * 86_400_000;
    expect(await run(0)).toMatchObject({ replayed: false });
    expect(await run(keptMs - 1)).toMatchObject({ replayed: true });
    expect(await run(keptMs)).toMatchObject({ replayed: false });
  });

  it('runs a key again after its retention has passed', async () => {
    await once(asking('expired-1'), 'expired');
    const later = { ...asking('expired-1'), networkNow: new Date('2026-11-29T12:00:00.000Z') };
    expect(await once(later, 'expired')).toMatchObject({ ok: true, replayed: false });
    expect(await countOf('expired')).toBe(2);
  });

  it('matches a running request by its fingerprint, even one that looks like an operator of a statement', async () => {
    for (const fp of HOSTILE_TEXTS.map((text) => text.toWellFormed())) {
      const ctx = { ...asking(`fingerprint ${fp}`), command: { id: randomUUID(), fp } };
      const run = await shell.commands.begin(ctx, 'plan_add_creator');
      if ('ok' in run) throw new Error('the command has ended');
      await expect(shell.commands.begin(ctx, 'plan_add_creator')).rejects.toMatchObject({ code: 'in_progress' });
      await run.release();
      expect(await once(ctx, `fingerprint ${fp}`)).toMatchObject({ ok: true, replayed: false });
      expect(await once(ctx, `fingerprint ${fp}`)).toMatchObject({ ok: true, replayed: true });
    }
  });

  it('commits events and audit with the effect', async () => {
    const ctx = asking('with-events');
    const aggregate = randomUUID();
    await runWrite(shell, ctx, 'plan_add_creator', 201, async () =>
      change(
        {},
        {
          save: async () => undefined,
          events: [
            { name: 'mandate.changed', payload: { aggregate, version: 1, workspace: aggregate, key_id: aggregate } },
          ],
          audit: [{ ws: aggregate, actor: key, action: 'mandate.set', object: aggregate, payload: { a: 1 } }],
        },
      ),
    );
    expect(await shell.outbox.rows.findOne({ aggregate })).toMatchObject({
      state: 'new',
      subject: 'evt.gateway.mandate.changed',
    });
    expect(await shell.audit.rows.findOne({ ws: aggregate })).toMatchObject({ action: 'mandate.set', sealed: false });
  });
});

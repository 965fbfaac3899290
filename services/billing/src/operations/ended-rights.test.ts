import { randomUUID } from 'node:crypto';
import type { Principal } from '@cds/contracts';
import { unavailable } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { aMandate } from '@cds/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { aCommand, anApproval, aSystemCtx, codeOf } from '../test/builders.js';
import type { FakePlan } from '../test/fake-planning.js';
import { testBilling } from '../test/suite.js';

const EVERY = 2 ** 31 - 1;

/** Rights that end while an approval is under way (docs/reliability.md#ended-rights; I74). */
describe('the gate of rights that ended', () => {
  const billing = testBilling('ended_rights');
  let ws: string;
  let plan: FakePlan;
  beforeEach(() => {
    ws = randomUUID();
    plan = billing.planning.plan(500);
  });

  /** An approval that depends on these rights. */
  const dependingOn = async (rights: Record<string, number>, over: Partial<Principal> = {}): Promise<Ctx> => {
    const ctx = await anApproval(billing, { workspace: ws });
    const principal = { ...ctx.principal, rights, ...over };
    return { ...ctx, principal, command: aCommand(principal.key) };
  };
  const approve = (ctx: Ctx, of: FakePlan = plan) => codeOf(billing.approve(ctx, of));
  const raise = async (key: string, ended: Record<string, number>, more: object = {}) =>
    codeOf(billing.run('gate_raise', await aSystemCtx(billing, ws), { key_id: key, workspace: ws, ended, ...more }));
  const ordersOf = async () => (await billing.orders(ws)).length;
  const heldBy = async (key: string): Promise<number[]> => {
    const authority = await billing.authority(key);
    return [...Object.values(authority?.months ?? {}).map(({ held }) => held), authority?.holds.length ?? 0];
  };

  it('reserves nothing on a right that ended after the approval was admitted', async () => {
    const ctx = await dependingOn({ 'key:a': 0, 'grant:b': 0 });
    expect(await raise(ctx.principal.key, { 'grant:b': EVERY })).toBe('ok');
    expect(await approve(ctx)).toBe('unavailable');
    expect(await ordersOf()).toBe(0);
    expect(await approve(await dependingOn({ 'key:a': 0, 'grant:c': 0 }, { key: ctx.principal.key }))).toBe('ok');
  });

  it('ends the versions of a right below one, and none from it on', async () => {
    const key = randomUUID();
    expect(await raise(key, { 'member:m': 2 })).toBe('ok');
    expect(await raise(key, { 'member:m': 1 })).toBe('ok');
    expect(await approve(await dependingOn({ 'member:m': 1 }, { key }))).toBe('unavailable');
    expect(await approve(await dependingOn({ 'member:m': 2 }, { key }))).toBe('ok');
  });

  it('ends a child with its parent, and the parent not with its child', async () => {
    const key = randomUUID();
    const parent = { key, monthly_cap_cents: 6_000_000, mandate_version: 1 };
    const of = (child: string) => ({ key: child, parent });
    expect(await raise(key, { 'key:child': EVERY })).toBe('ok');
    expect(await approve(await dependingOn({ 'key:child': 0, 'key:parent': 0 }, of(randomUUID())))).toBe('unavailable');
    expect(await approve(await dependingOn({ 'key:parent': 0 }, { key }))).toBe('ok');
    expect(await raise(key, { 'key:parent': EVERY })).toBe('ok');
    const other = await dependingOn({ 'key:other': 0, 'key:parent': 0 }, of(randomUUID()));
    expect(await approve(other, billing.planning.plan(500))).toBe('unavailable');
  });

  it('closes what holds its cents before it answers, and the runner finds it closed', async () => {
    const ctx = await dependingOn({ 'key:a': 0 });
    billing.planning.misbehaviour = {
      before: async () => {
        expect(await heldBy(ctx.principal.key)).toEqual([500, 1]);
        expect(await raise(ctx.principal.key, { 'key:a': EVERY })).toBe('ok');
        expect(await heldBy(ctx.principal.key)).toEqual([0, 0]);
      },
    };
    expect(await approve(ctx)).toBe('unavailable');
    expect(billing.planning.signsAsked).toBeGreaterThan(0);
    expect(await ordersOf()).toBe(0);
    expect(plan.order_id).toBeNull();
  });

  it('closes what holds its cents under an older mandate as well', async () => {
    const ctx = await dependingOn({});
    billing.planning.misbehaviour = {
      before: async () => expect(await raise(ctx.principal.key, {}, { version: 2 })).toBe('ok'),
    };
    expect(await approve(ctx)).toBe('unavailable');
    expect(await ordersOf()).toBe(0);
  });

  it('leaves what depends on other rights alone', async () => {
    const ctx = await dependingOn({ 'key:a': 0 });
    billing.planning.misbehaviour = {
      before: async () => expect(await raise(ctx.principal.key, { 'grant:b': EVERY })).toBe('ok'),
    };
    expect(await approve(ctx)).toBe('ok');
  });

  it('writes the order of what was signed before, by its answer', async () => {
    const ctx = await dependingOn({ 'key:a': 0 });
    billing.failpoints.arm('sign.verdict_received=error');
    expect(await approve(ctx)).not.toBe('ok');
    expect(await ordersOf()).toBe(0);
    expect(await raise(ctx.principal.key, { 'key:a': EVERY })).toBe('ok');
    expect(await ordersOf()).toBe(1);
    expect(await heldBy(ctx.principal.key)).toEqual([500, 0]);
  });

  it('is up, though it is 503 while planning does not say what was signed; asked again, it is settled', async () => {
    const ctx = await dependingOn({ 'key:a': 0 });
    billing.planning.misbehaviour = {
      before: async () => {
        billing.planning.misbehaviour = { unavailable: true };
        expect(await raise(ctx.principal.key, { 'key:a': EVERY })).toBe('unavailable');
        expect(await approve(await dependingOn({ 'key:a': 0 }, { key: ctx.principal.key }))).toBe('unavailable');
        billing.planning.misbehaviour = {};
        expect(await raise(ctx.principal.key, { 'key:a': EVERY })).toBe('ok');
      },
    };
    expect(await approve(ctx)).toBe('unavailable');
    expect(await ordersOf()).toBe(0);
  });

  it('forgets an end when no approval from before it can reserve any more', async () => {
    const key = randomUUID();
    expect(await raise(key, { 'key:old': EVERY, 'key:new': EVERY })).toBe('ok');
    const eleven = new Date((await billing.store.now()).getTime() - 11 * 60_000);
    await billing.store.db
      .collection<{ _id: string }>('authority')
      .updateOne({ _id: key }, { $set: { 'ended.key:old.at': eleven } });
    expect(await raise(key, { 'key:newest': EVERY })).toBe('ok');
    expect(Object.keys((await billing.authority(key))?.ended ?? {}).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'key:new',
      'key:newest',
    ]);
  });

  describe('an approval that was admitted in time', () => {
    /** Admitted so many seconds ago, in a sandbox that is an hour ahead. */
    const admitted = async (seconds: number, over: Partial<Principal>): Promise<Ctx> => {
      const ctx = await dependingOn({}, over);
      const at = new Date(ctx.networkNow.getTime() - seconds * 1_000);
      return { ...ctx, networkNow: at, now: new Date(at.getTime() + 3_600_000) };
    };
    const ago = async (seconds: number, ahead = 0) =>
      new Date((await billing.store.now()).getTime() + (ahead - seconds) * 1_000).toISOString();

    it.each([
      ['its key has expired since', async () => ({ until: await ago(5) })],
      ['its mandate has expired since', async () => ({ mandate: aMandate({ expires_at: await ago(5, 3_600) }) })],
    ])('reserves nothing when %s', async (_why, over) => {
      expect(await approve(await admitted(10, await over()))).toBe('unavailable');
      expect(await ordersOf()).toBe(0);
    });

    it('reserves nothing a minute later, when the ends of its rights may be forgotten', async () => {
      expect(await approve(await admitted(61, {}))).toBe('unavailable');
      expect(await approve(await admitted(50, {}))).toBe('ok');
    });

    it('must be signed before its key expires', async () => {
      const { plan_sign: sign } = billing.planning;
      let left = Number.POSITIVE_INFINITY;
      Object.assign(billing.planning, {
        plan_sign: async (ctx: Ctx) => {
          left = ctx.deadline.remainingMs();
          throw unavailable('planning takes too long', 1);
        },
      });
      expect(await approve(await dependingOn({}, { until: await ago(-2) }))).toBe('unavailable');
      Object.assign(billing.planning, { plan_sign: sign });
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(2_000);
    });
  });
});

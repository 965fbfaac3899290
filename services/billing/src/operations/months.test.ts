import { randomUUID } from 'node:crypto';
import type { Output, PlanApproved } from '@cds/contracts';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { anApproval, answerOf, codeOf } from '../test/builders.js';
import { testBilling } from '../test/suite.js';

const billing = testBilling('months');

const DAY_MS = 86_400_000;
const TOTAL = 10_000;

/** A sandbox whose clock is in another month than live time, at the first and the last instant of a month. */
const INSTANTS: [now: string, month: string, next: string][] = [
  ['2031-03-01T00:00:00.000Z', '2031-03', '2031-04-01T00:00:00.000Z'],
  ['2031-02-28T23:59:59.999Z', '2031-02', '2031-03-01T00:00:00.000Z'],
  ['2031-12-31T23:59:59.999Z', '2031-12', '2032-01-01T00:00:00.000Z'],
];

/** docs/domain/orders.md#spend: spend counts in the month of the approval, by the workspace's own clock. */
describe.each(INSTANTS)('a sandbox at %s', (now, month, next) => {
  const approved = async (key: string = randomUUID(), workspace: string = randomUUID(), at = now) => {
    const plan = billing.planning.plan(TOTAL);
    const ctx = await anApproval(billing, {
      key,
      workspace,
      now: at,
      mandate: aMandate({ monthly_cap_cents: TOTAL, expires_at: '2099-01-01T00:00:00.000Z' }),
    });
    const outcome = billing.approve(ctx, plan);
    return { ctx, outcome };
  };
  const monthsOf = async (key: string) => {
    await billing.parts.close();
    return (await billing.authority(key))?.months;
  };

  it('holds what it approves in its own month only', async () => {
    const { ctx, outcome } = await approved();
    const { order_id } = answerOf<PlanApproved>(await outcome);
    expect(await monthsOf(ctx.principal.key)).toEqual({ [month]: { held: TOTAL } });
    expect(await billing.orders(ctx.principal.workspace)).toMatchObject([{ _id: order_id, month }]);
  });

  it('applies the cap to its own month: full in this one, empty in the next', async () => {
    const { ctx, outcome } = await approved();
    await outcome;
    const { key, workspace } = ctx.principal;
    expect(await codeOf((await approved(key, workspace)).outcome)).toBe('mandate_refused over_monthly_cap');
    expect(await codeOf((await approved(key, workspace, next)).outcome)).toBe('ok');
  });

  it('quotes its own month’s spend', async () => {
    const { ctx, outcome } = await approved();
    await outcome;
    const spent = async (at: Date) => {
      const quoted = await billing.run('quote_facts', { ...ctx, command: null, now: at }, { order_id: null });
      return answerOf<Output<'quote_facts'>>(quoted).spent_this_month_cents;
    };
    expect(await spent(ctx.now)).toBe(TOTAL);
    expect(await spent(new Date(next))).toBe(0);
    expect(await spent(ctx.networkNow)).toBe(0);
  });

  it('reports its own month’s spend for several keys at once, and nothing for a foreign one', async () => {
    const { ctx, outcome } = await approved();
    await outcome;
    const { key, workspace } = ctx.principal;
    const spent = async (ws: string, at: Date) => {
      const keys = [key, randomUUID()].map((key_id) => ({ key_id, parent_id: null }));
      const asked = { workspace: ws, keys };
      return answerOf<Output<'keys_spent'>>(await billing.run('keys_spent', { ...ctx, command: null, now: at }, asked));
    };
    expect(await spent(workspace, ctx.now)).toEqual({ spent: [{ key_id: key, spent_this_month_cents: TOTAL }] });
    expect(await spent(workspace, new Date(next))).toEqual({ spent: [{ key_id: key, spent_this_month_cents: 0 }] });
    expect(await spent(randomUUID(), ctx.now)).toEqual({ spent: [] });
  });

  it('gives an unpaid order back to the month of its approval', async () => {
    const { ctx, outcome } = await approved();
    await outcome;
    const { key, workspace } = ctx.principal;
    const offsetMs = ctx.now.getTime() - ctx.networkNow.getTime() + 40 * DAY_MS;
    await billing.shell.clocks.set(workspace, offsetMs);
    await billing.sweep('unpaid orders');
    expect(await billing.orders(workspace)).toMatchObject([{ payment_state: 'cancelled' }]);
    expect(await monthsOf(key)).toEqual({ [month]: { held: 0 } });
  });
});

import { randomUUID } from 'node:crypto';
import { conflict } from '@cds/contracts';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { monthOf } from '../domain/authority.js';
import { auditBilling } from '../test/audit-billing.js';
import { anApproval, answerOf, aSystemCtx, type Billing, codeOf } from '../test/builders.js';
import { aRefusal, type FakePlan } from '../test/fake-planning.js';
import { testBilling } from '../test/suite.js';

type Approval = Parameters<Billing['run']>[1];

const billing = testBilling('holds');

const approve = (ctx: Approval, plan: FakePlan) => codeOf(billing.approve(ctx, plan));
const holdsOf = async ({ principal }: Approval) => {
  await billing.parts.close();
  return (await billing.authority(principal.key))?.holds ?? [];
};
const heldOf = async ({ principal, now }: Approval) =>
  (await billing.authority(principal.key))?.months[monthOf(now)]?.held ?? 0;
/** The same Idempotency-Key with other arguments. */
const other = (ctx: Approval): Approval => ({ ...ctx, command: { id: ctx.command?.id ?? '', fp: 'another request' } });

/** Lets `first` run to its end and its hold be cleaned up just before either statement adds the next hold. */
const endsFirst = (first: () => Promise<string>): void => {
  const { authorities } = billing.deps;
  const { reserve, holdRefusal } = authorities;
  const after =
    <Args extends unknown[], Result>(statement: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      Object.assign(authorities, { reserve, holdRefusal });
      expect(await first()).toBe('ok');
      await billing.parts.close();
      return statement.apply(authorities, args);
    };
  Object.assign(authorities, { reserve: after(reserve), holdRefusal: after(holdRefusal) });
};

describe('two requests under one Idempotency-Key', () => {
  it.each<[string, string, of: (ctx: Approval) => Approval, refused: boolean]>([
    ['another request that would be refused', 'idempotency_conflict', other, true],
    ['another request that would be signed', 'idempotency_conflict', other, false],
    ['the same request', 'ok', (ctx) => ctx, false],
  ])('answer %s after the first was answered: %s, and leave no hold', async (_name, code, of, refused) => {
    const { planning } = billing;
    const [one, two] = [planning.plan(100), planning.plan(200)];
    const ctx = await anApproval(billing);
    endsFirst(() => {
      planning.refusal = null;
      return approve(ctx, one);
    });
    if (refused) planning.refusal = aRefusal('conflict', 'archived');
    const asked = planning.signsAsked;
    expect(await approve(of(ctx), code === 'ok' ? one : two)).toBe(code);
    expect(await holdsOf(ctx)).toEqual([]);
    expect([await heldOf(ctx), planning.signsAsked - asked]).toEqual([100, 1]);
    expect(await approve(ctx, one)).toBe('ok');
    expect(await auditBilling(billing.store)).toEqual([]);
  });

  it('leave the hold of one that died before looking again to the recovery worker', async () => {
    const { planning } = billing;
    const [one, two] = [planning.plan(100), planning.plan(200)];
    const ctx = await anApproval(billing);
    endsFirst(() => {
      planning.refusal = null;
      return approve(ctx, one);
    });
    planning.refusal = aRefusal('conflict', 'archived');
    billing.failpoints.arm('sign.refusal_held=error');
    expect(await approve(other(ctx), two)).toBe('failpoint sign.refusal_held');
    expect(await holdsOf(ctx)).toHaveLength(1);
    expect(await billing.recover()).toBe(1);
    expect(await holdsOf(ctx)).toEqual([]);
    expect(await approve(ctx, one)).toBe('ok');
  });

  it('give the cents of a refused signing back even if the row belongs to another request', async () => {
    const { planning } = billing;
    const plan = planning.plan(200);
    const ctx = await anApproval(billing);
    planning.signRefusal = aRefusal('conflict', 'over_budget');
    planning.misbehaviour = {
      before: async () => {
        await billing.shell.commands.refuse(
          other(ctx),
          'approve_plan',
          conflict('archived', 'The campaign is archived.'),
        );
      },
    };
    expect(await approve(ctx, plan)).toBe('idempotency_conflict');
    expect(await holdsOf(ctx)).toEqual([]);
    expect(await heldOf(ctx)).toBe(0);
  });
});

describe('brand terms published during an approve', () => {
  const publish = async (number: number) => {
    const version = `2027-01-${String(number).padStart(2, '0')}`;
    const system = await aSystemCtx(billing, '');
    answerOf(await billing.run('terms_publish', system, { version, number, text: `Terms ${number}` }));
    return version;
  };

  it('apply to it when they came before its reservation', async () => {
    const { planning, deps } = billing;
    const { reserve } = deps.authorities;
    let published = '';
    deps.authorities.reserve = async (...args) => {
      deps.authorities.reserve = reserve;
      published = await publish(2);
      return reserve.apply(deps.authorities, args);
    };
    const asked = planning.termsAsked.length;
    const ctx = await anApproval(billing);
    const plan = planning.plan(100);
    expect(await approve(ctx, plan)).toBe('ok');
    expect(planning.termsAsked.slice(asked).map((terms) => terms.current_terms?.version)).toEqual([
      '2026-11-01',
      published,
    ]);
    const [order] = await billing.orders(ctx.principal.workspace);
    expect(order?.terms_version).toBe(published);
    expect(await holdsOf(ctx)).toEqual([]);
    expect(await heldOf(ctx)).toBe(100);
  });

  it('refuse one that was waiting for others’ cents, before planning is asked to sign', async () => {
    const { planning } = billing;
    const key = randomUUID();
    const workspace = randomUUID();
    const mandate = aMandate({ monthly_cap_cents: 100 });
    billing.failpoints.arm('sign.reserved=error');
    await approve(await anApproval(billing, { key, workspace, mandate }), planning.plan(100));

    const asked = planning.signsAsked;
    const ctx = await anApproval(billing, { key, workspace, mandate });
    const { authorities } = billing.deps;
    const { view } = authorities;
    let published = '';
    let looks = 0;
    authorities.view = async (...args) => {
      looks += 1;
      const seen = await view.apply(authorities, args);
      // At the first look this approve checks; at the second it waits, and at the third the cents are free.
      if (looks === 2) {
        published = await publish(3);
        planning.refusal = aRefusal('mandate_refused', 'terms_not_accepted', { escalate: true });
      }
      if (looks === 3) await billing.recover();
      return seen;
    };
    expect(await approve(ctx, planning.plan(100))).toBe('mandate_refused terms_not_accepted');
    authorities.view = view;
    expect(planning.termsAsked.at(-1)?.current_terms?.version).toBe(published);
    expect(planning.signsAsked).toBe(asked);
    expect(await holdsOf(ctx)).toEqual([]);
    expect(await heldOf(ctx)).toBe(0);
  });
});

describe('a signing that cannot become its order', () => {
  const tasks = async () =>
    (await billing.outbox()).filter((row) => row['subject'] === 'evt.billing.billing_task.opened');

  it('opens one operator task, though the recovery worker retries it every second', async () => {
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    billing.failpoints.arm('sign.verdict_received=error');
    await approve(ctx, plan);
    const orders = billing.store.db.collection<{ _id: string; plan_id: string; pay_token_hash: string }>('orders');
    await orders.insertOne({ _id: 'foreign', plan_id: plan.id, pay_token_hash: 'x' });
    const before = (await tasks()).length;
    for (let second = 0; second < 3; second += 1) expect(await billing.recover()).toBe(0);

    const opened = (await tasks()).slice(before);
    const [hold] = await holdsOf(ctx);
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatchObject({
      payload: { kind: 'signing_without_order', about: { order_id: plan.order_id }, version: 1 },
    });
    expect(JSON.stringify(opened[0]?.['payload'])).toContain(hold?.signing_id);
    await orders.deleteOne({ _id: 'foreign' });
    expect(await billing.recover()).toBe(1);
  });

  it('opens one after planning has not answered for ten minutes', async () => {
    const ctx = await anApproval(billing);
    billing.failpoints.arm('sign.reserved=error');
    await approve(ctx, billing.planning.plan(100));
    billing.planning.misbehaviour = { unavailable: true };
    const before = (await tasks()).length;
    expect(await billing.recover()).toBe(0);
    expect((await tasks()).length).toBe(before);
    const { key } = ctx.principal;
    const late = async () => {
      const now = await billing.store.now();
      await billing.store.db
        .collection<{ _id: string }>('authority')
        .updateOne({ _id: key }, { $set: { 'holds.0.until': new Date(now.getTime() - 601_000) } });
      return billing.sweep('signings');
    };
    for (let second = 0; second < 3; second += 1) expect(await late()).toBe(0);
    expect((await tasks()).slice(before)).toMatchObject([{ payload: { kind: 'signing_stuck' } }]);
    billing.planning.misbehaviour = {};
    expect(await billing.recover()).toBe(1);
  });
});

describe('an approve whose sandbox is being reset', () => {
  it('is waited for while it may still write its order, unless a person has to look at it', async () => {
    const { planning, parts } = billing;
    const ctx = await anApproval(billing);
    const running = (ws = ctx.principal.workspace) => parts.reset.running(ws);
    const counted: number[] = [];
    planning.misbehaviour = {
      before: async () => {
        counted.push(await running(), await running(randomUUID()));
      },
    };
    expect(await approve(ctx, planning.plan(100))).toBe('ok');
    expect(counted).toEqual([1, 0]);
    expect([await holdsOf(ctx), await running()]).toEqual([[], 0]);

    planning.misbehaviour = {};
    billing.failpoints.arm('sign.reserved=error');
    await approve({ ...ctx, command: { id: randomUUID(), fp: 'fp' } }, planning.plan(100));
    expect(await running()).toBe(1);
    await billing.store.db
      .collection<{ _id: string }>('authority')
      .updateOne({ _id: ctx.principal.key }, { $set: { 'holds.0.reported': ['signing_stuck'] } });
    expect(await running()).toBe(0);
    expect(await billing.recover()).toBe(1);
  });
});

describe('signings_standing', () => {
  it('lists only signings that have a hold', async () => {
    const ctx = await anApproval(billing);
    billing.failpoints.arm('sign.reserved=error');
    await approve(ctx, billing.planning.plan(100));
    const [hold] = await holdsOf(ctx);
    const { workspace } = ctx.principal;
    const asked = async () =>
      answerOf<{ standing: string[] }>(
        await billing.run('signings_standing', await aSystemCtx(billing, workspace), {
          signings: [
            { workspace, signing_id: hold?.signing_id },
            { workspace, signing_id: randomUUID() },
            { workspace: randomUUID(), signing_id: randomUUID() },
          ],
        }),
      ).standing;
    expect(await asked()).toEqual([hold?.signing_id]);
    await billing.recover();
    expect(await asked()).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { Deadline, inTx, LostRace } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Plan } from '../domain/plan.js';
import { aCampaign, aLine, aPlan, aUnit, NOW } from '../test/builders.js';
import { Plans } from './plans.js';

const BY = { actor: 'key:test', action: 'plan.reprice', at: NOW } as const;

/** In an operation campaign and plan guard each other, so each statement's guard is proved by itself here. */
describe('the compare-and-set of plans (docs/reliability.md#signing, docs/reliability.md#plan-edits)', () => {
  let opened: Awaited<ReturnType<typeof testStore>>;
  let plans: Plans;
  beforeAll(async () => {
    opened = await testStore('plans');
    plans = new Plans(opened.store);
    await opened.store.migrate();
  });
  afterAll(() => opened.drop());

  const stored = async (over: Partial<Plan> = {}): Promise<Plan> => {
    const plan = aPlan(aCampaign(), [aLine(aUnit())], over);
    await plans.rows.insertOne(plan);
    return plan;
  };
  const edit = (decidedOn: Plan) =>
    inTx(opened.store, Deadline.in(30_000), (tx) =>
      plans.replaceAwaiting(tx, decidedOn, { ...decidedOn, version: decidedOn.version + 1 }, BY),
    );
  const sign = (decidedOn: Plan) =>
    inTx(opened.store, Deadline.in(30_000), (tx) =>
      plans.sign(tx, decidedOn, { ...decidedOn, status: 'approved', approved_at: NOW }),
    );

  it('takes the version it was decided on', async () => {
    const plan = await stored();
    await edit(plan);
    await sign({ ...plan, version: 2 });
    expect(await plans.byId(plan.ws, plan._id)).toMatchObject({ version: 2, status: 'approved', approved_at: NOW });
  });

  it.each<[string, (plan: Plan) => Plan]>([
    ['another version', (plan) => ({ ...plan, version: 2 })],
    ['another workspace', (plan) => ({ ...plan, ws: randomUUID() })],
    ['another plan', (plan) => ({ ...plan, _id: randomUUID() })],
  ])('is lost on %s, for edits and for signing', async (_name, other) => {
    const plan = await stored();
    await expect(edit(other(plan))).rejects.toThrow(LostRace);
    await expect(sign(other(plan))).rejects.toThrow(LostRace);
    expect(await plans.byId(plan.ws, plan._id)).toEqual(plan);
  });

  it('refuses to sign other terms', async () => {
    const plan = await stored();
    await expect(sign({ ...plan, terms_fingerprint: 'other' })).rejects.toThrow(LostRace);
  });

  it('refuses a signed plan', async () => {
    const plan = await stored({ status: 'approved', approved_at: NOW });
    await expect(edit(plan)).rejects.toThrow(LostRace);
    await expect(sign(plan)).rejects.toThrow(LostRace);
  });

  it('keeps each version that it stores, and none of a lost race', async () => {
    const plan = await stored();
    await edit(plan);
    await expect(edit(plan)).rejects.toThrow(LostRace);
    const kept = await plans.versions.newest(plan, { most: 9 });
    expect(kept).toMatchObject([{ version: 2, ...BY, terms_fingerprint: plan.terms_fingerprint, changes: [] }]);
  });

  it('allows one plan per campaign', async () => {
    const plan = await stored();
    await expect(plans.rows.insertOne({ ...plan, _id: randomUUID() })).rejects.toMatchObject({ code: 11_000 });
  });
});

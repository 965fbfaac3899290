import type { PlanHistory } from '@cds/contracts';
import { type Ctx, inTx } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { VERSION_DAYS } from '../domain/constants.js';
import { planVersion } from '../domain/edits/plan-version.js';
import type { Plan } from '../domain/plan.js';
import { A_LAUNCH, aCandidate, aPlanOrder, aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand, person } from '../test/world.js';

const DAY_MS = 86_400_000;
const endOf = ({ expires_at }: { expires_at?: Date }): Date | undefined => expires_at;

describe('plan_history', () => {
  const world = testWorld('plan_history');

  const historyOf = (ctx: Ctx, id: string, before?: number): Promise<PlanHistory> =>
    world.value('plan_history', again(ctx), { id, ...(before === undefined ? {} : { before }) });
  const listed = (...over: Parameters<typeof aUnit>) => {
    const unit = aUnit(...over);
    world.neighbours.units.set(unit.unit_id, unit);
    return unit;
  };

  it('leaves out of a line what the network leaves out by now, until payment', async () => {
    const { ctx, plan } = await world.planned({ units: [listed()], plan: { version: 1 } });
    const unit = listed({ deliverable: 'One post by quillrae' });
    await world.value('plan_add_creator', again(ctx), { id: plan._id, unit_id: unit.unit_id });
    world.neighbours.units.set(unit.unit_id, { ...unit, deliverable: 'One post by' });
    const shown = async () =>
      (await historyOf(ctx, plan._id)).versions[0]?.changes.map(({ after }) => after?.deliverable);
    expect(await shown()).toEqual(['One post by']);
    await world.deps.plans.rows.updateOne(
      { _id: plan._id },
      { $set: { order: aPlanOrder({ payment_state: 'paid' }) } },
    );
    expect(await shown()).toEqual(['One post by quillrae']);
  });

  it('lists each edit with who made it and what it changed, newest first', async () => {
    const [one, two] = [listed(), listed()];
    const { ctx, plan } = await world.planned({ units: [one, two], plan: { version: 1 } });
    const by = `key:${ctx.principal.key}`;
    const added = listed({ price_cents: 30_000 });
    const swapped = listed({ price_cents: 20_000 });
    const [first, second] = plan.lines;
    const { line_id } = await world.value('plan_add_creator', again(ctx), { id: plan._id, unit_id: added.unit_id });
    const swap = await world.value('plan_swap_creator', again(ctx), {
      id: plan._id,
      line_id,
      unit_id: swapped.unit_id,
    });
    await world.value('plan_remove_creator', again(ctx), { id: plan._id, line_id: second?.id ?? '' });
    const { plan: quote } = await world.value('plan_move_dates', again(ctx), {
      id: plan._id,
      start: '2026-12-05',
      end: '2026-12-20',
    });

    const { versions } = await historyOf(ctx, plan._id);
    expect(versions.map(({ version, action, actor, total_cents }) => [version, action, actor, total_cents])).toEqual([
      [5, 'plan.move_dates', by, 65_000],
      [4, 'plan.remove_creator', by, 65_000],
      [3, 'plan.swap_creator', by, 110_000],
      [2, 'plan.add_creator', by, 120_000],
    ]);
    expect(versions[0]?.terms_fingerprint).toBe(quote.terms_fingerprint);
    expect(versions[0]?.at).toBe(ctx.now.toISOString());
    expect(versions.map(({ changes }) => changes.map(({ change, line_id: id }) => [change, id]))).toEqual([
      [
        ['moved', first?.id],
        ['moved', swap.line_id],
      ],
      [['removed', second?.id]],
      [['swapped', swap.line_id]],
      [['added', line_id]],
    ]);
    expect(versions[2]?.changes[0]).toMatchObject({
      before: { id: line_id, creator_id: added.creator_id, price_cents: 30_000 },
      after: { id: swap.line_id, creator_id: swapped.creator_id, price_cents: 20_000 },
    });
  });

  it('begins with the built plan, and names a repricing by the budget and by a person', async () => {
    const ctx = brand();
    const candidate = aCandidate();
    world.neighbours.candidates = [candidate];
    const [unit] = candidate.units;
    const { plan } = await world.value('create_campaign', ctx, A_LAUNCH);
    if (plan === null || unit === undefined) throw new Error('no plan was built');
    listed({ ...unit, creator_id: candidate.creator_id, price_cents: 50_000 });
    const who = person({ workspace: ctx.principal.workspace });
    await world.value('campaign_budget_set', who, { id: plan.campaign_id, budget_usd: 2_000 });

    const { versions } = await historyOf(ctx, plan.plan_id);
    expect(versions).toMatchObject([
      {
        version: 2,
        action: 'campaign.budget',
        actor: `person:${who.principal.person?.id}`,
        changes: [{ change: 'repriced', before: { price_cents: 45_000 }, after: { price_cents: 50_000 } }],
      },
      { version: 1, action: 'campaign.create', changes: [{ change: 'added', before: null }] },
    ]);
  });

  it('never names a creator, paid or not', async () => {
    const unit = listed({ name: 'Hidden Name' });
    const { ctx, plan } = await world.planned({ units: [unit, listed()] });
    world.neighbours.handles.set(unit.creator_id, 'hidden_handle');
    await world.value('plan_move_dates', again(ctx), { id: plan._id, start: '2026-12-05', end: '2026-12-20' });
    const text = JSON.stringify(await historyOf(ctx, plan._id));
    expect(text).toContain(unit.creator_id);
    expect(text).not.toMatch(/hidden/i);
  });

  /** Versions as an earlier release stored them: in full, without an end. */
  const earlierVersions = (plan: Pick<Plan, '_id' | 'ws'>, at: Date, most: number) =>
    Array.from({ length: most }, (_, index) => ({
      _id: `${plan._id}|${index + 1}`,
      ws: plan.ws,
      plan_id: plan._id,
      version: index + 1,
      actor: 'operator:one',
      action: 'plan.reprice' as const,
      at,
      total_cents: 1,
      terms_fingerprint: 'one',
      changes: [],
    }));

  it('shows the first version and the newest 30, however many an earlier release left', async () => {
    const { ctx, plan } = await world.planned({ units: [listed()] });
    await world.deps.plans.versions.rows.insertMany(earlierVersions(plan, ctx.now, 200));
    const { versions } = await historyOf(ctx, plan._id);
    expect(versions[0]).toMatchObject({ version: 200, actor: 'team' });
    expect(versions.map(({ version }) => version)).toEqual([...Array.from({ length: 30 }, (_, at) => 200 - at), 1]);
    const older = await historyOf(ctx, plan._id, 172);
    expect(older.versions.map(({ version }) => version)).toEqual([171, 1]);
  });

  it('ends what an earlier release stored, but for the first version: the migration says when', async () => {
    const { plan } = await world.planned({ units: [listed()] });
    const [past, now] = [new Date('2026-08-01T12:00:00Z'), await world.store.now()];
    const ahead = new Date(now.getTime() + 1_000 * DAY_MS);
    const { rows } = world.deps.plans.versions;
    await rows.insertMany(
      earlierVersions(plan, past, 3).map((row) => (row.version === 3 ? { ...row, at: ahead } : row)),
    );
    await world.store.backfill();
    const ended = async () => (await rows.find({ plan_id: plan._id }).sort({ version: 1 }).toArray()).map(endOf);
    const first = await ended();
    expect(first).toEqual([undefined, new Date(past.getTime() + VERSION_DAYS * DAY_MS), expect.any(Date)]);
    // A sandbox's clock may be years ahead; its versions end by the database's.
    expect(Number(first[2])).toBeGreaterThanOrEqual(now.getTime() + VERSION_DAYS * DAY_MS);
    expect(Number(first[2])).toBeLessThan(now.getTime() + (VERSION_DAYS + 1) * DAY_MS);
    await world.store.backfill();
    expect(await ended()).toEqual(first);
  });

  it('keeps the first version and the newest 30, in few bytes', async () => {
    const { ctx, plan } = await world.planned({
      units: Array.from({ length: 40 }, () => listed()),
      plan: { version: 1 },
    });
    const { versions } = world.deps.plans;
    const earlier = { ...plan, lines: plan.lines.map((line) => ({ ...line, scheduled_date: '2027-01-01' })) };
    const by = { actor: 'key:one', action: 'plan.move_dates' as const, at: ctx.now };
    for (let version = 1; version <= 60; version += 1)
      await inTx(world.store, ctx.deadline, (tx) => versions.add(tx, planVersion(earlier, { ...plan, version }, by)));

    const kept = await versions.rows.find({ plan_id: plan._id }).sort({ version: 1 }).toArray();
    expect(kept.map(({ version }) => version)).toEqual([1, ...Array.from({ length: 30 }, (_, place) => place + 31)]);
    expect(Math.max(...kept.map((row) => mongo.BSON.calculateObjectSize(row)))).toBeLessThan(2_500);
    const days = kept.map(({ expires_at: end }) => end && (end.getTime() - ctx.now.getTime()) / DAY_MS);
    expect([days[0], ...new Set(days.slice(1))]).toEqual([undefined, VERSION_DAYS]);
    const { versions: shown } = await historyOf(ctx, plan._id);
    expect(shown[0]?.changes).toHaveLength(40);
    expect(shown[0]?.changes[0]).toMatchObject({
      change: 'moved',
      before: { id: plan.lines[0]?.id, unit_id: plan.lines[0]?.unit_id, scheduled_date: '2027-01-01' },
      after: { scheduled_date: plan.lines[0]?.scheduled_date },
    });
  });
});

import { randomUUID } from 'node:crypto';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aUnit, NOW } from '../test/builders.js';
import { again, aWorld, brand, type World } from '../test/world.js';

describe('plan_remove_creator', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld('plan_remove_creator');
  });
  afterAll(() => world.drop());

  it('drops the line and answers the plan without it', async () => {
    const { ctx, plan } = await world.planned({
      units: [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 60_000 })],
    });
    const [gone, kept] = plan.lines;
    const value = await world.value('plan_remove_creator', ctx, { id: plan._id, line_id: gone?.id ?? '' });
    expect(value).toMatchObject({
      removed_line_id: gone?.id,
      plan: { version: 2, total_cents: 60_000, lines: [{ id: kept?.id }] },
    });
    expect((await world.deps.plans.byId(plan.ws, plan._id))?.lines.map((line) => line.id)).toEqual([kept?.id]);
  });

  it.each<[string, Parameters<World['planned']>[0], object]>([
    ['the last creator', {}, { code: 'conflict', details: { reason: 'last_creator' } }],
    [
      'a line of a signed plan',
      { plan: { status: 'approved', approved_at: NOW } },
      { details: { reason: 'plan_signed' } },
    ],
    ['a line of an archived campaign', { campaign: { archived_at: NOW } }, { details: { reason: 'archived' } }],
    [
      'a line without a mandate',
      { ctx: brand({ mandate: null }) },
      { code: 'mandate_refused', details: { reason: 'no_mandate' } },
    ],
  ])('refuses to drop %s and changes nothing', async (_name, of, error) => {
    proves('remove.keeps-one');
    const { ctx, plan } = await world.planned({ ...of, units: [aUnit()] });
    const before = await world.documents(plan.ws);
    expect(
      await world.error('plan_remove_creator', ctx, { id: plan._id, line_id: plan.lines[0]?.id ?? '' }),
    ).toMatchObject(error);
    expect(await world.documents(plan.ws)).toEqual(before);
  });

  it('answers 404 for an absent line before it looks at the plan’s state', async () => {
    const { ctx, plan } = await world.planned({ units: [aUnit()], plan: { status: 'approved', approved_at: NOW } });
    expect(await world.error('plan_remove_creator', ctx, { id: plan._id, line_id: randomUUID() })).toMatchObject({
      code: 'not_found',
    });
  });

  it('keeps one line when both are dropped at once (I25)', async () => {
    proves('remove.keeps-one');
    const { ctx, plan } = await world.planned({ units: [aUnit(), aUnit()] });
    const answers = await Promise.all(
      plan.lines.map((line) => world.call('plan_remove_creator', again(ctx), { id: plan._id, line_id: line.id })),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect((await world.deps.plans.byId(plan.ws, plan._id))?.lines).toHaveLength(1);
  });
});

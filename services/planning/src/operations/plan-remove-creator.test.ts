import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again } from '../test/world.js';

describe('plan_remove_creator', () => {
  const world = testWorld('plan_remove_creator');

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

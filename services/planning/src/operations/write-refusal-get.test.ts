import { randomUUID } from 'node:crypto';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again } from '../test/world.js';

/** docs/domain/orders.md#receipts */
describe('a write that the mandate refused, as its receipt says it', () => {
  const world = testWorld('write_refusal_get');

  const NOW_TEXT = NOW.toISOString();
  const YEARS = '2027-03-01T00:00:00.000Z';
  const passes = { rule: 'no_mandate', passed: true, figures: { mandate_version: 3 } };
  const inTime = { rule: 'mandate_expired', passed: true, figures: { now: NOW_TEXT, expires_at: YEARS } };
  const inChannel = {
    rule: 'channel_not_allowed',
    passed: true,
    figures: { channels: ['x_creators'], allowed: ['x_creators'] },
  };

  it.each([
    ['no mandate', null, [{ rule: 'no_mandate', passed: false, figures: { escalate: true } }], null],
    [
      'an expired mandate',
      { expires_at: NOW_TEXT },
      [passes, { rule: 'mandate_expired', passed: false, figures: { expired_at: NOW_TEXT, escalate: true } }],
      50_000,
    ],
    [
      'a channel that it does not allow',
      { expires_at: YEARS, channels: ['reddit'] },
      [
        passes,
        inTime,
        { rule: 'channel_not_allowed', passed: false, figures: { channels: ['x_creators'], escalate: true } },
      ],
      50_000,
    ],
    [
      'a total over its limit',
      { expires_at: YEARS, channels: ['x_creators'], max_plan_cents: 49_999 },
      [
        passes,
        inTime,
        inChannel,
        {
          rule: 'over_max_plan_total',
          passed: false,
          figures: { limit_cents: 49_999, requested_cents: 50_000, over_by_cents: 1, escalate: true },
        },
      ],
      50_000,
    ],
  ] as const)('names every check up to the one that failed: %s', async (_name, limits, rules, total) => {
    const [own, other] = [aUnit({ price_cents: 20_000 }), aUnit({ price_cents: 30_000 })];
    world.neighbours.units.set(other.unit_id, other);
    const { ctx, plan } = await world.planned({ units: [own], campaign: { budget_cents: 300_000 } });
    const parent = { key: randomUUID(), monthly_cap_cents: 1, month: '2026-11' };
    const asking = {
      ...again(ctx),
      principal: {
        ...ctx.principal,
        parent,
        mandate: limits === null ? null : aMandate(limits as never),
        mandate_version: 3,
      },
    };
    const input = { id: plan._id, unit_id: other.unit_id };
    const error = await world.error('plan_add_creator', asking as never, input);
    const replay = await world.error('plan_add_creator', asking as never, input);
    expect(replay).toEqual(error);

    const { refusal } = await world.value('write_refusal_get', ctx, { id: error.receipt_id ?? '' });
    expect(refusal).toEqual({
      id: error.receipt_id,
      operation: 'plan_add_creator',
      request_id: asking.requestId,
      key_id: ctx.principal.key,
      parent_key_id: parent.key,
      mandate_version: 3,
      total_cents: limits === null ? expect.anything() : total,
      rules,
      at: NOW_TEXT,
    });
  });

  it('is null for a write that was allowed, another workspace and an unknown id', async () => {
    const { ctx, campaign } = await world.planned({ units: [aUnit()] });
    await world.value('rename_campaign', again(ctx), { id: campaign._id, name: 'Renamed' });
    const [allowed] = await world.deps.checks.rows.find({ ws: ctx.principal.workspace }).toArray();
    const refusing = { ...again(ctx), principal: { ...ctx.principal, mandate: null } };
    const { receipt_id } = await world.error('rename_campaign', refusing, { id: campaign._id, name: 'No' });
    const strange = { ...ctx, principal: { ...ctx.principal, workspace: randomUUID() } };

    const found = [
      await world.value('write_refusal_get', ctx, { id: allowed?._id ?? '' }),
      await world.value('write_refusal_get', strange, { id: receipt_id ?? '' }),
      await world.value('write_refusal_get', ctx, { id: randomUUID() }),
    ];
    expect(found).toEqual([{ refusal: null }, { refusal: null }, { refusal: null }]);
    expect(await world.value('write_refusal_get', ctx, { id: receipt_id ?? '' })).not.toEqual({ refusal: null });
  });

  it('has no receipt where another rule refused', async () => {
    const { ctx, campaign } = await world.planned({ units: [aUnit()], campaign: { archived_at: NOW } });
    const error = await world.error('rename_campaign', again(ctx), { id: campaign._id, name: 'Late' });
    expect(error.code).toBe('conflict');
    expect(error).not.toHaveProperty('receipt_id');
  });
});

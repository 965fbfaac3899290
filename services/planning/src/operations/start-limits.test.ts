import type { Ctx } from '@cds/service';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { START_WINDOW_MS } from '../domain/constants.js';
import { aCandidate } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

const INPUT = {
  goal: 'launch' as const,
  product: 'Acme Rocket',
  moment: 'Live on 5 December 2026',
  window_start: '2026-12-01',
  window_end: '2026-12-20',
  budget_usd: 1_000,
  audience: 'Founders of young software companies',
};

describe('start_limits', () => {
  const world = testWorld('start_limits');
  beforeAll(() => {
    world.neighbours.candidates = [aCandidate({ price_cents: 40_000 })];
  });

  it('counts the starts of the last 24 hours, and says what the refusal says', async () => {
    const ctx = brand();
    const pool = async () => (await world.value('start_limits', again(ctx), {})).limits[0];
    expect(await pool()).toMatchObject({ name: 'daily_campaign_limit', limit: 3, left: 3, resets_at: null });

    for (const left of [2, 1, 0]) {
      expect(await world.call('create_campaign', again(ctx), INPUT)).toMatchObject({ ok: true });
      expect(await pool()).toMatchObject({ limit: 3, left });
    }
    const refused = await world.error('create_campaign', again(ctx), INPUT);
    expect(refused).toMatchObject({ code: 'rate_limited', details: { reason: 'daily_campaign_limit', limit: 3 } });
    expect((await pool())?.resets_at).toBe(refused.details?.['resets_at']);
  });

  it.each([
    ['expire by the clock of a sandbox that was advanced', true],
    ['do not expire by the clock of a request to a live workspace', false],
  ])('starts %s', async (_title, sandbox) => {
    const ctx = brand({ sandbox });
    const later = (ms: number) => ({ ...again(ctx), now: new Date(ctx.now.getTime() + ms) });
    const left = async (at: Ctx) => (await world.value('start_limits', at, {})).limits[0]?.left;
    for (let n = 0; n < 3; n += 1) await world.value('create_campaign', again(ctx), INPUT);
    expect([await left(later(START_WINDOW_MS - 1)), await left(later(START_WINDOW_MS))]).toEqual([0, sandbox ? 3 : 0]);
    expect((await world.call('create_campaign', later(START_WINDOW_MS - 1), INPUT)).ok).toBe(false);
    expect((await world.call('create_campaign', later(START_WINDOW_MS), INPUT)).ok).toBe(sandbox);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { CurrentPrice } from '../creator/creator.js';
import { askUnderTeamPrice, creatorToReview } from './tasks.js';

const AT = new Date('2026-11-21T12:00:00.000Z');
const SYNCED = new Date('2026-11-20T03:00:00.000Z');
const UUID_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the task for a creator that a sync put under review', () => {
  it('says what was found, once per sync', () => {
    const task = creatorToReview('ada', SYNCED, 'undisclosed paid posts', AT);
    expect(task).toEqual({
      aggregate: expect.stringMatching(UUID_8),
      version: 1,
      kind: 'creator_to_review',
      about: { creator_id: 'ada' },
      note: 'Found: undisclosed paid posts.',
      opened_at: AT.toISOString(),
    });
    const later = new Date(AT.getTime() + 1);
    expect(creatorToReview('ada', SYNCED, 'undisclosed paid posts', later).aggregate).toBe(task.aggregate);
    expect(creatorToReview('ben', SYNCED, null, AT)).toMatchObject({ note: null });
    expect(creatorToReview('ben', SYNCED, null, AT).aggregate).not.toBe(task.aggregate);
    expect(creatorToReview('ada', AT, null, AT).aggregate).not.toBe(task.aggregate);
  });
});

describe('the task for an ask beside a price set by the team', () => {
  const price = (over: Partial<CurrentPrice>): CurrentPrice => ({
    price_cents: 15_000,
    source: 'team',
    method: 'set_price',
    as_of: '2026-11-01',
    recorded_at: AT,
    ...over,
  });
  const unit = { unit_id: 'unit-1', format: 'thread', price: price({}) } as const;
  const asked = (over: Partial<CurrentPrice> = {}) =>
    askUnderTeamPrice('ada', unit, price({ price_cents: 123_500, source: 'creator', as_of: '2026-11-20', ...over }));

  it('states both prices in dollars', () => {
    expect(asked()).toMatchObject({
      aggregate: expect.stringMatching(UUID_8),
      about: { creator_id: 'ada', unit_id: 'unit-1' },
      note: 'Thread: asked $1,235 all-in as of 2026-11-20; the team’s price is $150.',
    });
  });

  it('opens once per ask, and again for another price or day', () => {
    const { aggregate } = asked();
    expect(asked({ recorded_at: SYNCED }).aggregate).toBe(aggregate);
    expect(asked({ price_cents: 124_000 }).aggregate).not.toBe(aggregate);
    expect(asked({ as_of: '2026-11-21' }).aggregate).not.toBe(aggregate);
  });
});

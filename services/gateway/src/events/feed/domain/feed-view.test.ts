import { FEED_KINDS, type Scope } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { viewOf } from './feed-view.js';

const ALL: Scope[] = ['campaigns:read', 'evidence:read', 'results:read'];

describe('what a key sees of the feed (docs/domain/events.md#events)', () => {
  test('is every kind with the three scopes', () => {
    expect(viewOf(ALL, null)).toEqual({ kinds: undefined });
  });

  test('has no proof without evidence:read and no readings without results:read', () => {
    const seen = viewOf(['campaigns:read'], null) as { kinds: string[] };
    expect(FEED_KINDS.filter((kind) => !seen.kinds.includes(kind))).toEqual([
      'post.booked',
      'post.live',
      'post.blocked',
      'post.completed',
      'reading.taken',
    ]);
  });

  test.each([
    [['plan.changed', 'post.live'] as const, ['campaigns:read', 'results:read'], 'evidence:read'],
    [['reading.taken'] as const, ['campaigns:read', 'evidence:read'], 'results:read'],
  ])('asking for %j names the scope that is missing', (asked, scopes, missing) => {
    expect(viewOf(scopes as Scope[], asked)).toEqual({ missing });
    expect(viewOf(ALL, asked)).toEqual({ kinds: asked });
  });
});

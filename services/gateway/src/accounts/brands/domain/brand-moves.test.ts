import { describe, expect, it } from '@jest/globals';
import { type BrandMove, brandMoved } from './brand-moves.js';

const STATES = ['pending', 'approved', 'declined', 'suspended'] as const;
const LEGAL: Readonly<Record<BrandMove, string>> = {
  approve: 'pending to approved',
  decline: 'pending to declined',
  suspend: 'approved to suspended',
  reinstate: 'suspended to approved',
};

describe('the moves of a brand (docs/domain/access.md#workspaces)', () => {
  it.each(Object.entries(LEGAL) as [BrandMove, string][])('%s leads only from %s', (move, legal) => {
    const possible = STATES.flatMap((from) => {
      const moved = brandMoved(from, move);
      return 'to' in moved ? [`${from} to ${moved.to}`] : [];
    });
    expect(possible).toEqual([legal]);
  });

  it('name the state that an illegal one would need', () => {
    expect(brandMoved('declined', 'suspend')).toEqual({ needs: 'approved' });
  });
});

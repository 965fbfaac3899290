import { describe, expect, it } from '@jest/globals';
import { hoursAfter } from '../test/posts.js';
import { newClaim, openClaim, withDecision } from './claim.js';

const NOW = hoursAfter(0);
const of = { id: 'c', attempt: 1, claim: 'not_as_agreed' as const, text: 'Text', evidence: [], opened_by: 'key' };
const DECISION = { remedy: 'none' as const, amount_cents: null, reason: 'No', at: NOW, by: 'op' };

/** docs/domain/orders.md#claims. */
describe('a claim', () => {
  it('has to be decided within five days, and a sandbox decides it after one', () => {
    const claim = { ...of, opened_at: NOW, due_at: hoursAfter(120), decided: null };
    expect(newClaim(of, NOW, false)).toEqual({ ...claim, played_at: null });
    expect(newClaim(of, NOW, true)).toEqual({ ...claim, played_at: hoursAfter(24) });
  });

  it('is open until it is decided, and a decision is about the open one alone', () => {
    const open = newClaim(of, NOW, true);
    const former = { ...newClaim({ ...of, id: 'former' }, NOW, true), decided: { ...DECISION, reason: 'Before' } };
    expect(openClaim({ claims: [former, open] })).toEqual(open);
    expect([openClaim({ claims: [former] }), openClaim({})]).toEqual([null, null]);
    expect(withDecision([former, open], DECISION)).toEqual([former, { ...open, decided: DECISION, played_at: null }]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { aRequest } from '../test/network.js';
import { audienceResolve } from './audience-resolve.js';

describe('audience_resolve', () => {
  it('returns the segments of a text with weights', async () => {
    expect(await audienceResolve(aRequest(), { text: 'people in fintech' }, {})).toEqual({
      segments: [{ id: 'fintech', label: 'Fintech', weight: 1 }],
      unresolved: false,
    });
  });

  it('says when a text names none', async () => {
    expect(await audienceResolve(aRequest(), { text: 'everyone' }, {})).toEqual({ segments: [], unresolved: true });
  });
});

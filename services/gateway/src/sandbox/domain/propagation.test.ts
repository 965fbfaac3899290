import { describe, expect, it } from '@jest/globals';
import { hasPropagated, type ServiceProgress } from './propagation.js';

const at = (over: Partial<ServiceProgress> = {}): ServiceProgress => ({ handled: 0, facts: 3, behind: false, ...over });

describe('everything in a sandbox has propagated', () => {
  it.each<[string, ServiceProgress[], ServiceProgress[], boolean]>([
    ['after one quiet round', [], [at(), at()], false],
    ['after two quiet rounds', [at(), at()], [at(), at()], true],
    ['after a quiet round that follows a busy one', [at({ handled: 2 }), at()], [at(), at()], true],
    ['while a service handles something', [at(), at()], [at(), at({ handled: 1 })], false],
    ['while events are on their way to one', [at(), at()], [at({ behind: true }), at()], false],
    ['when another replica emitted an event between the rounds', [at(), at()], [at(), at({ facts: 4 })], false],
  ])('%s: %#', (_name, before, after, propagated) => {
    expect(hasPropagated(before, after)).toBe(propagated);
  });
});

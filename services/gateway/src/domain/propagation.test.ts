import { describe, expect, it } from '@jest/globals';
import { isSettled, type ServiceStands } from './propagation.js';

const at = (over: Partial<ServiceStands> = {}): ServiceStands => ({ handled: 0, facts: 3, behind: false, ...over });

describe('a sandbox has settled', () => {
  it.each<[string, ServiceStands[], ServiceStands[], boolean]>([
    ['after one quiet round', [], [at(), at()], false],
    ['after two quiet rounds', [at(), at()], [at(), at()], true],
    ['after a quiet round that follows a busy one', [at({ handled: 2 }), at()], [at(), at()], true],
    ['while a service handles something', [at(), at()], [at(), at({ handled: 1 })], false],
    ['while facts are under way to one', [at(), at()], [at({ behind: true }), at()], false],
    ['when another replica told something between the rounds', [at(), at()], [at(), at({ facts: 4 })], false],
  ])('%s: %#', (_name, before, after, settled) => {
    expect(isSettled(before, after)).toBe(settled);
  });
});

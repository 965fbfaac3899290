import { describe, expect, it } from '@jest/globals';
import { withoutExcluded } from './negations.js';
import { resolveAudience, segmentsIn } from './segments.js';

const idsOf = (text: string) => resolveAudience(text).segments.map(({ id }) => id);

describe('what a description excludes (docs/domain/network.md#audience-text)', () => {
  it.each([
    ['designers, not developers', 'designers ,'],
    ['designers but not developers or founders', 'designers but'],
    ['designers, not developers, marketers or founders, in Spain', 'designers , , in Spain'],
    ['not developers, founders in Spain', ', founders in Spain'],
    ['Exclude students, teachers and tutors. Founders', '. Founders'],
    ['Excluding students, we want founders and investors', ', we want founders and investors'],
    ['founders rather than investors', 'founders'],
    ['founders instead of investors (but only in Spain)', 'founders ( but only in Spain )'],
    ['founders (no agencies) and investors', 'founders ( ) and investors'],
    ['neither developers nor designers; founders', '; founders'],
    ['everyone but gamers', ''],
    ["founders who aren't developers but designers", 'founders who but designers'],
    ['non-developers and founders', 'and founders'],
    ['not only founders but also investors', 'not only founders but also investors'],
    ['no-code and no code builders', 'no-code and no code builders'],
    ['no one but founders', 'no one but founders'],
    ['notable founders in Norway', 'notable founders in Norway'],
  ])('is taken out of %p', (text, left) => {
    expect(withoutExcluded(text)).toBe(left);
  });

  it.each([
    ['marketers, not developers', ['marketing']],
    ['startup founders; exclude sneaker collectors', ['startup-founders']],
    ['gamers, no students', ['gaming']],
    ['venture investors rather than founders', ['investors']],
    ['anyone who is not a developer, a marketer or a founder', []],
    ['sales engineers, but no software developers or designers', ['sales']],
  ])('names no segment in %p', (text, ids) => {
    expect(idsOf(text)).toEqual(ids);
  });

  it('counts in posts and bios, which describe no audience', () => {
    expect(segmentsIn('Not a developer, just a gamer').segments.map(({ id }) => id)).toEqual([
      'gaming',
      'software-developers',
    ]);
  });
});

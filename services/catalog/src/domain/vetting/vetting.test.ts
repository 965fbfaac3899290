import { proves } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { statusLabel, statusReason, type VettingFacts, vet } from './vetting.js';

const GOOD: VettingFacts = {
  accountAgeDays: 365,
  followers: 1_000,
  isPublic: true,
  postsIn30Days: 8,
  lastPostAgeDays: 7,
  medianViews: 10,
  engagementRate: 0.2,
  followerJumpPercent: 10,
  paidPostsPercent: 20,
  undisclosedPaidPosts: 0,
  unsafe: 'none',
};

describe('the vetting checks', () => {
  it('all pass on the boundaries', () => {
    expect(vet(GOOD, '2027-03-12')).toEqual({
      passed: 11,
      of: 11,
      on: '2027-03-12',
      inactive: false,
      concern: null,
      unpassed: [],
    });
  });

  it.each<[string, Partial<VettingFacts>, number, boolean, string | null]>([
    ['an unknown figure warns', { followerJumpPercent: null }, 10, false, null],
    ['an account of 180 days warns', { accountAgeDays: 180 }, 10, false, null],
    ['an account of 179 days fails', { accountAgeDays: 179 }, 10, false, 'account younger than 180 days'],
    ['3 posts warn', { postsIn30Days: 3 }, 10, false, null],
    ['2 posts are inactivity', { postsIn30Days: 2 }, 10, true, null],
    ['a last post of 22 days is inactivity', { lastPostAgeDays: 22 }, 10, true, null],
    ['views over 300% warn', { medianViews: 3_001 }, 10, false, null],
    ['views under 0.3% fail', { medianViews: 2 }, 10, false, 'views per follower fell under 0.3%'],
    ['an engagement over 20% fails', { engagementRate: 20.01 }, 10, false, 'engagement rate outside 0.1 to 20%'],
    ['two undisclosed paid posts fail', { undisclosedPaidPosts: 2 }, 10, false, 'undisclosed paid posts'],
  ])('%s', (_name, over, passed, inactive, concern) => {
    expect(vet({ ...GOOD, ...over }, '2027-03-12')).toMatchObject({ passed, inactive, concern });
  });

  it('are worded as a status', () => {
    proves('creators.status-words');
    const found = vet(GOOD, '2027-03-12');
    const young = vet({ ...GOOD, accountAgeDays: 1 }, '2027-03-12');
    expect(statusReason('approved', found)).toBe('Reviewed 12 March 2027: 11 of 11 checks passed.');
    const mixed = vet({ ...GOOD, medianViews: 3_001, followerJumpPercent: null }, '2027-03-12');
    expect(statusReason('approved', mixed)).toBe(
      'Reviewed 12 March 2027: 9 of 11 checks passed; not passed: views per follower; follower jump could not be checked.',
    );
    const unknown = vet({ ...GOOD, accountAgeDays: null, followerJumpPercent: null }, '2027-03-12');
    expect(statusReason('approved', unknown)).toBe(
      'Reviewed 12 March 2027: 9 of 11 checks passed; account age and follower jump could not be checked.',
    );
    const { unpassed: _unpassed, ...older } = mixed;
    expect(statusReason('approved', older)).toBe('Reviewed 12 March 2027: 9 of 11 checks passed.');
    expect(statusReason('declined', young)).toBe('Not accepted: account younger than 180 days.');
    expect(statusReason('borderline', vet({ ...GOOD, medianViews: 1 }, '2027-03-12'))).toBe(
      'Under review: views per follower fell under 0.3%.',
    );
    expect(statusReason('not_reviewed', null)).toBe('Not reviewed yet.');
    expect((['approved', 'declined', 'borderline', 'not_reviewed'] as const).map(statusLabel)).toEqual([
      'Reviewed',
      'Reviewed',
      'Under review',
      'Not reviewed',
    ]);
  });
});

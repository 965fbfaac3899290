import { describe, expect, it } from '@jest/globals';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import type { Post } from './post.js';
import { afterLook, afterTeamRemedy, type Look } from './team-moves.js';

const NOW = hoursAfter(5);
const BY = hoursAfter(24);
const remedy = { id: 'r', kind: 'credit' as const, cause: 'dispute' as const, amount_cents: null, at: BY };

/** docs/domain/orders.md#proof. */
describe('a look of the team', () => {
  it.each<[looked: boolean, what: string, post: Post, verdict: Look['verdict']]>([
    [true, 'a live post', aLivePost(), 'accepted'],
    [true, 'a live post that it rejects', aLivePost(), 'rejected'],
    [true, 'a proved post', aLivePost({ status: 'completed' }), 'accepted'],
    [false, 'a proved post that it rejects', aLivePost({ status: 'completed' }), 'rejected'],
    [true, 'a blocked post', aLivePost({ status: 'blocked', blocked_reason: 'no_disclosure' }), 'accepted'],
    [false, 'a blocked post that it rejects', aLivePost({ status: 'blocked' }), 'rejected'],
    [false, 'a post that is to come', aBookedPost(), 'accepted'],
    [false, 'a post that is gone', aLivePost({ gone_at: BY }), 'accepted'],
    [false, 'the post of a line that has ended', aLivePost({ stopped: true }), 'accepted'],
    [false, 'a post with its remedy', aLivePost({ remedy }), 'accepted'],
  ])('counts: %s, at %s', (looked, _what, post, verdict) => {
    expect(afterLook(post, { verdict }, NOW) !== null).toBe(looked);
  });

  it.each<[what: string, said: string | null, look: Look, disclosure: string | null, asks: boolean, emits: boolean]>([
    ['leaves what the creator says', '#ad', { verdict: 'accepted' }, '#ad', false, false],
    ['notes what it sees', null, { verdict: 'accepted', disclosure: 'Label' }, 'Label', false, true],
    ['notes nothing new', '#ad', { verdict: 'accepted', disclosure: '#ad' }, '#ad', false, false],
    ['drops what it does not see', '#ad', { verdict: 'accepted', disclosure: null }, null, true, true],
    ['asks for what it does not see', null, { verdict: 'accepted', disclosure: null }, null, true, true],
    ['asks for what nobody says', null, { verdict: 'accepted' }, null, true, true],
  ])('%s', (_what, said, look, disclosure, asks, emits) => {
    const before = aLivePost({ disclosure: said, version: 4 });
    const move = afterLook(before, look, NOW);
    expect(move?.post.disclosure).toBe(disclosure);
    expect(move?.post.undisclosed_at ?? null).toEqual(asks ? hoursAfter(29) : null);
    expect([move?.emits, move?.post.version]).toEqual([emits, emits ? 5 : 4]);
  });
});

/** docs/domain/orders.md#remedies. */
describe('a remedy of the team', () => {
  const REPLACE = { remedy: 'replace', amount_cents: null } as const;
  const blocked = (blocked_reason: Post['blocked_reason'], over: Partial<Post> = {}): Post =>
    aLivePost({ status: 'blocked', blocked_reason, ...over });

  it.each<[made: boolean, what: string, post: Post]>([
    [true, 'that is to come', aBookedPost()],
    [true, 'that is up', aLivePost()],
    [false, 'that is proved', aLivePost({ status: 'completed' })],
    [false, 'of a line that has ended', aLivePost({ stopped: true })],
    [false, 'of nobody', aLivePost({ booked: false })],
    [false, 'that has its remedy', aLivePost({ remedy })],
  ])('is made: %s, for a post %s', (made, _what, post) => {
    expect(afterTeamRemedy(post, REPLACE, NOW) !== null).toBe(made);
  });

  it.each<[cause: string, what: string, post: Post, gone_at: Date | null]>([
    ['post_missing', 'that is to come', aBookedPost(), null],
    ['post_gone', 'that was up', aLivePost(), NOW],
    ['no_disclosure', 'that was asked for its disclosure', aLivePost({ undisclosed_at: BY }), null],
    ['post_gone', 'that is gone', blocked('post_gone', { gone_at: hoursAfter(2) }), hoursAfter(2)],
    ['no_disclosure', 'that is blocked without one', blocked('no_disclosure'), null],
  ])('is for %s, of a post %s', (cause, _what, post, gone_at) => {
    const move = afterTeamRemedy(post, { remedy: 'credit', amount_cents: 7 }, NOW);
    expect(move).toMatchObject({
      emits: true,
      post: {
        status: 'blocked',
        blocked_reason: cause,
        gone_at,
        remedy: { kind: 'credit', cause, amount_cents: 7, at: NOW },
        remedy_at: null,
      },
    });
    expect(afterTeamRemedy(post, REPLACE, NOW)?.post.remedy).toMatchObject({ kind: 'replace', cause });
  });

  it.each<[what: string, post: Post, gone_at: Date | null, disclose_by: Date | null]>([
    ['a post that is missing', aBookedPost(), null, null],
    ['a post that is gone', aLivePost(), NOW, null],
    ['a post that went before', aLivePost({ gone_at: hoursAfter(1) }), hoursAfter(1), null],
    ['a post that was to show its disclosure', aLivePost({ undisclosed_at: BY }), null, BY],
    ['one whose time to disclose it is over', blocked('no_disclosure', { disclose_by: BY }), null, BY],
  ])('gives the creator two more days for %s', (_what, post, gone_at, disclose_by) => {
    const move = afterTeamRemedy(post, { remedy: 'repost', amount_cents: null }, NOW);
    expect(move?.post).toMatchObject({
      status: 'blocked',
      remedy_at: hoursAfter(53),
      gone_at,
      disclose_by,
      undisclosed_at: null,
    });
    expect(move?.post.remedy ?? null).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import { needsOf, ownDisclosure, postActsOf } from './own-post.js';
import type { Post } from './post.js';

const BY = hoursAfter(24);
const remedy = { id: 'r', kind: 'credit' as const, cause: 'dispute' as const, amount_cents: null, at: BY };
const blocked = (blocked_reason: Post['blocked_reason'], over: Partial<Post> = {}): Post =>
  aLivePost({ status: 'blocked', blocked_reason, remedy_at: BY, ...over });

/** docs/domain/pages.md#creator-links. */
describe('what the creator of a booked line must bring', () => {
  it.each<[what: string, post: Post, needs: ReturnType<typeof needsOf>]>([
    ['a post', aBookedPost({ missing_at: BY }), { what: 'post', by: BY }],
    ['nothing while it is up', aLivePost(), null],
    ['the disclosure it was asked for', aLivePost({ undisclosed_at: BY }), { what: 'disclosure', by: BY }],
    ['nothing once it is proved', aLivePost({ status: 'completed', undisclosed_at: BY }), null],
    ['the post that is gone', blocked('post_gone'), { what: 'repost', by: BY }],
    ['the disclosure that it lacked', blocked('no_disclosure'), { what: 'disclosure', by: BY }],
    ['the post that is missing', blocked('post_missing'), { what: 'post', by: BY }],
    ['the post, by no set time', blocked('post_missing', { remedy_at: null }), { what: 'post', by: null }],
    ['nothing once the line has ended', aBookedPost({ stopped: true }), null],
    ['nothing once somebody else is booked', aBookedPost({ booked: false }), null],
    ['nothing once there is a remedy', blocked('post_gone', { remedy }), null],
  ])('is %s', (_what, post, needs) => {
    expect(needsOf(post)).toEqual(needs);
  });
});

describe('what the creator of a booked line may send', () => {
  it.each<[acts: string, what: string, post: Post]>([
    ['post', 'before there is one', aBookedPost()],
    ['analytics', 'of one that is up', aLivePost()],
    ['post analytics', 'of one that is to show its disclosure', aLivePost({ undisclosed_at: BY })],
    ['analytics', 'of one that is proved', aLivePost({ status: 'completed', undisclosed_at: BY })],
    ['post', 'while it is blocked', blocked('no_disclosure')],
    ['', 'of one that went after its proof', aLivePost({ status: 'completed', gone_at: BY })],
    ['', 'once the line has ended', aLivePost({ stopped: true, undisclosed_at: BY })],
    ['', 'once somebody else is booked', aLivePost({ booked: false, undisclosed_at: BY })],
    ['analytics', 'once there is a remedy', aLivePost({ status: 'completed', remedy })],
  ])('is "%s" %s', (acts, _what, post) => {
    expect(postActsOf(post).join(' ')).toBe(acts);
  });
});

describe('the disclosure in the words of a creator', () => {
  it.each([
    ['Look at this #ad', '#ad'],
    ['Look at this #AD!', '#ad'],
    ['my #adventure', null],
    ['#ad_free', null],
    ['#ad2', null],
    ['Thanks #Sponsored.', '#sponsored'],
    ['#sponsoredby nobody', null],
    ['#sponsored_x', null],
    ['#sponsored9', null],
    ['paid partnership with Orbit  ', 'Paid partnership with Orbit'],
    ['paid partnership with ', null],
    ['a plain day', null],
  ])('"%s" is %p', (text, disclosure) => {
    expect(ownDisclosure(text)).toBe(disclosure);
  });
});

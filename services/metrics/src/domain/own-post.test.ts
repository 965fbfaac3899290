import { describe, expect, it } from '@jest/globals';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import { figuresSent, needsOf, ownDisclosure, postActsOf } from './own-post.js';
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

const ID = '1730000000000000000';
const NONE = {
  views: null,
  likes: null,
  comments: null,
  shares: null,
  bookmarks: null,
  clicks: null,
  profile_visits: null,
};

/** docs/domain/orders.md#results. */
describe('an analytics export', () => {
  it.each([
    [
      'of 2024, by the id of the post',
      `\uFEFFPost id,Date,Post text,Impressions,Likes,Bookmarks,Shares,Replies,Reposts,Profile visits,URL Clicks\r\n${ID},x,"a, ""b""\nc","12,400",9,,40,2,3,5,7\r\n`,
      { views: 12_400, likes: 9, comments: 2, shares: 3, clicks: 7, profile_visits: 5 },
    ],
    [
      'of before, by its link',
      `"Tweet permalink","impressions","retweets","user profile clicks"\n"https://twitter.com/a/status/${ID}","7","1","-"`,
      { views: 7, shares: 1 },
    ],
    ['with points between thousands', `Post id,Impressions\n1,2.345\n${ID},1.000`, { views: 1_000 }],
    ['with our own names', `id,views,profile_visits\n1,5,5\n${ID},6,0`, { views: 6, profile_visits: 0 }],
  ])('%s', (_name, csv, figures) => {
    expect(figuresSent({ csv }, ID)).toEqual({ ...NONE, ...figures });
  });

  it.each([
    ['of other posts', 'Post id,Impressions\n1,5', 'row of your post'],
    ['that is no CSV', 'Post id,"Impressions\n1', 'row of your post'],
    ['that is empty', '', 'row of your post'],
    ['with a figure that is no number', `Post id,Impressions\n${ID},many`, 'views of your post must be'],
    ['with one or a thousand', `Post id,Impressions\n${ID},1.000`, 'views of your post may mean 1 or thousands'],
    ['with semicolons', `Post id;Impressions\n${ID};5`, 'is separated by semicolons'],
    ['without any figure', `Post id,Post text\n${ID},Hello`, 'must have a figure'],
  ])('%s is refused', (_name, csv, message) => {
    expect(figuresSent({ csv }, ID)).toEqual([{ field: 'csv', message: expect.stringContaining(message) }]);
  });

  it('goes without figures', () => {
    expect(figuresSent({ csv: 'x', likes: 2 }, ID)).toEqual([{ field: 'likes', message: 'goes only without csv' }]);
    expect(figuresSent({ likes: 0 }, ID)).toEqual({ ...NONE, likes: 0 });
  });
});

/** docs/domain/orders.md#proof. */
describe('what a creator says about their own text', () => {
  it.each([
    ['#ad', '#ad'],
    ['It is marked #AD.', '#ad'],
    ['#sponsored', '#sponsored'],
    ['paid partnership with Acme', 'Paid partnership with Acme'],
    ['#adventure', null],
    ['Paid partnership label', null],
  ])('%s discloses %s', (text, disclosure) => {
    expect(ownDisclosure(text)).toBe(disclosure);
  });
});

import { describe, expect, it } from '@jest/globals';
import { figuresSent } from './own-analytics.js';
import { ownDisclosure } from './own-post.js';

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

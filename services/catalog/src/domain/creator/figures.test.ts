import { proves } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aPost } from '../../test/builders.js';
import { NOW } from '../../test/network.js';
import { bandOf, figuresOf } from './figures.js';

const asIs = (text: string) => text;
const figures = (posts: ReturnType<typeof aPost>[], followers: number | null = 28_000) =>
  figuresOf({ followers, bio: null, posts, syncedAt: new Date(NOW) }, asIs);

describe('the reach band', () => {
  it.each([
    [null, 'nano'],
    [0, 'nano'],
    [9_999, 'nano'],
    [10_000, 'micro'],
    [49_999, 'micro'],
    [50_000, 'mid'],
    [499_999, 'mid'],
    [500_000, 'macro'],
    [999_999, 'macro'],
    [1_000_000, 'mega'],
  ])('of %p followers is %p', (followers, band) => {
    proves('creators.reach-bands');
    expect(bandOf(followers)).toBe(band);
  });
});

describe('the figures of a sync', () => {
  it('count only the window’s mature posts', () => {
    const mature = [100, 200, 300].map((views, at) => aPost({ views, ageDays: 1 + at }));
    const young = aPost({ views: 9_000, ageDays: 0.99 });
    const outside = aPost({ views: 9_000, ageDays: 30.01 });
    const uncounted = aPost({ views: null, ageDays: 3 });
    expect(figures([...mature, young, outside, uncounted])).toMatchObject({
      median_views_30d: 200,
      posts_measured: 3,
      posts_per_week: 1.2,
    });
  });

  it('are unknown with fewer than three mature posts', () => {
    expect(figures([aPost(), aPost()])).toMatchObject({
      median_views_30d: null,
      engagement_rate_30d: null,
      expected_views: null,
    });
  });

  it('compute engagement from posts with at least 100 views, counting missing parts as 0', () => {
    const low = aPost({ views: 99, likes: 99 });
    const post = (likes: number) =>
      aPost({ views: 1_000, likes, replies: null, reposts: null, quotes: null, bookmarks: null });
    expect(figures([low, post(10), post(20), post(33)]).engagement_rate_30d).toBe(2);
  });

  it('show views relative to the highest, oldest first, omitting posts without views', () => {
    proves('creators.views-series');
    const posts = [50, null, 200, 101].map((views, at) => aPost({ views, ageDays: 10 - at }));
    expect(figures(posts).views_series).toEqual([25, 100, 51]);
    expect(figures([aPost({ views: 0 })]).views_series).toEqual([0]);
  });

  it('store the newest 30 posts', () => {
    proves('creators.recent-posts-thirty');
    const posts = Array.from({ length: 35 }, (_none, at) => aPost({ ageDays: 1 + at / 2, views: at }));
    const { posts: held, posts_summary } = figures(posts);
    expect(held).toHaveLength(30);
    expect(held.map(({ views }) => views)).toEqual(Array.from({ length: 30 }, (_none, at) => at));
    expect(posts_summary).toMatchObject({ posts: 30, capped: true, sample_median_views: 15, top_post: { views: 29 } });
  });

  it('summarise posts once there are three', () => {
    proves('creators.posts-summary-three');
    expect(figures([aPost(), aPost()]).posts_summary).toBeNull();
    expect(figures([aPost(), aPost(), aPost({ ageDays: 0.1 })]).posts_summary).toMatchObject({
      posts: 3,
      capped: false,
    });
    expect(figures([1, 2, 3].map(() => aPost({ views: null }))).posts_summary).toMatchObject({
      sample_median_views: null,
      top_post: null,
    });
  });
});

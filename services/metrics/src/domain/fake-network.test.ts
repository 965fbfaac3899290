import { describe, expect, it } from '@jest/globals';
import { PUBLISHED_AT } from '../test/builders.js';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import { changedBy, type PostChange, sandboxReading } from './fake-network.js';
import { metricsAt } from './persona.js';
import { type Post, randomKeyOf } from './post.js';
import { sandboxContent } from './sandbox-content.js';

const NOW = hoursAfter(5);
const live = aLivePost({ content: sandboxContent('77', 1), version: 4 });
const gone = { ...live, status: 'blocked' as const, blocked_reason: 'post_gone' as const, gone_at: hoursAfter(2) };
const remedy = { id: 'r', kind: 'credit' as const, cause: 'dispute' as const, amount_cents: null, at: NOW };
const change = (post: Post, of: PostChange) => changedBy(post, of, NOW);

/** docs/domain/orders.md#integrity. */
describe('the fake network of a sandbox', () => {
  const CHANGES: PostChange[] = ['edit', 'delete', 'restore', 'hide_disclosure', 'inflate'];
  it.each<[can: string, what: string, post: Post]>([
    ['edit delete hide_disclosure inflate', 'a live post', live],
    ['edit delete inflate', 'a live post without a disclosure', { ...live, disclosure: null }],
    ['restore', 'a post that is gone', gone],
    ['', 'a post that is to come', aBookedPost()],
    ['', 'the post of a line that has ended', { ...live, stopped: true }],
    ['', 'a post with its remedy', { ...live, remedy }],
    ['edit delete hide_disclosure inflate', 'a proved post with a remedy', { ...live, remedy, status: 'completed' }],
    ['restore', 'a proved post that is gone', { ...live, status: 'completed', gone_at: hoursAfter(2) }],
  ])('can %s %s', (can, _what, post) => {
    expect(CHANGES.filter((one) => change(post, one) !== null).join(' ')).toBe(can);
  });

  it('edits a post into its next version', () => {
    const second = change(live, 'edit');
    expect(second).toMatchObject({ emits: true, post: { content: sandboxContent('77', 2), version: 5 } });
    expect(second && change(second.post, 'edit')?.post.content).toEqual(sandboxContent('77', 3));
    const tenth = { ...live, content: sandboxContent('77', 10) };
    expect(change(tenth, 'edit')?.post.content).toEqual(sandboxContent('77', 11));
    expect(change({ ...live, content: null }, 'edit')?.post.content).toEqual(sandboxContent('77', 2));
  });

  it('says what a post of a version says', () => {
    expect(sandboxContent('77', 2)).toEqual({
      text: 'A post of the sandbox, number 77, version 2.',
      media_ids: ['media-77'],
    });
  });

  it('deletes a post for good, and restores it', () => {
    const deleted = change({ ...live, back_after_ms: 1 }, 'delete');
    expect(deleted?.post).toMatchObject({ blocked_reason: 'post_gone', gone_at: NOW, back_at: null });
    expect(change(gone, 'restore')?.post).toMatchObject({ status: 'live', blocked_reason: null, gone_at: null });
    const proved = { ...live, status: 'completed' as const, gone_at: hoursAfter(2), look_at: NOW };
    expect(change(proved, 'restore')).toMatchObject({
      emits: true,
      post: { status: 'completed', gone_at: null, reading_at: hoursAfter(6), look_at: NOW },
    });
  });

  it('hides the disclosure of a post, which has a day to show it again while it is live', () => {
    const hidden = { disclosure: null, disclosure_at: null, disclose_by: null };
    expect(change({ ...live, disclose_by: NOW }, 'hide_disclosure')).toMatchObject({
      emits: true,
      post: { ...hidden, undisclosed_at: hoursAfter(29) },
    });
    const proved = { ...live, status: 'completed' as const };
    expect(change(proved, 'hide_disclosure')?.post).toMatchObject({ ...hidden, undisclosed_at: null });
  });

  it('inflates counts by 20, three times at most', () => {
    const once = change(live, 'inflate');
    expect(once).toMatchObject({ emits: true, post: { inflated_by: 20 } });
    expect(change({ ...live, inflated_by: 400 }, 'inflate')?.post.inflated_by).toBe(8_000);
    expect(change({ ...live, inflated_by: 8_000 }, 'inflate')).toBeNull();
  });
});

describe('a reading of a sandbox', () => {
  const metrics = metricsAt(randomKeyOf(live), 5 * 3_600_000, live);
  const read = (post: Post) => sandboxReading(post, PUBLISHED_AT, NOW, 'reading');

  it('counts what the persona gives at its age', () => {
    expect(read(live)).toEqual({
      _id: 'reading',
      ws: live.ws,
      line_id: live._id,
      post_id: '77',
      captured_at: NOW,
      ...metrics,
      source: 'sandbox',
    });
  });

  it('has bought views, and no engagement for them', () => {
    expect(read({ ...live, inflated_by: 20 })).toEqual({ ...read(live), views: (metrics.views ?? 0) * 20 });
    expect(read({ ...live, inflated_by: 1 })).toEqual(read(live));
  });
});

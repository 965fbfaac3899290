import { namedUuid } from '@cds/service/named-uuid';
import { describe, expect, it } from '@jest/globals';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import type { Post } from './post.js';
import { taskOf, tasksOf } from './tasks.js';

const AT = hoursAfter(1);
const booked = aBookedPost({ sandbox: false, _id: 'line', order_id: 'order', campaign_id: 'c', creator_id: 'ada' });
const live = { ...aLivePost({ sandbox: false }), _id: 'line', order_id: 'order', campaign_id: 'c', creator_id: 'ada' };
const blocked = (reason: Post['blocked_reason']): Post => ({
  ...live,
  status: 'blocked',
  blocked_reason: reason,
  remedy_at: hoursAfter(48),
});
const kindsOf = (before: Post | null, after: Post): string[] => tasksOf(before, after, AT).map(({ kind }) => kind);

/** docs/domain/operators.md#tasks-and-feedback. */
describe('a task about a post', () => {
  it('names its line, and is opened once for one instant', () => {
    expect(taskOf('post_missing', live, AT, hoursAfter(48))).toEqual({
      aggregate: namedUuid('post_missing', 'line', '1', AT.toISOString()),
      version: 1,
      kind: 'post_missing',
      about: { line_id: 'line', order_id: 'order', campaign_id: 'c', creator_id: 'ada' },
      note: 'By 2026-12-03T12:00:00.000Z.',
      opened_at: AT.toISOString(),
    });
    expect(taskOf('post_missing', live, AT).note).toBeNull();
  });

  it.each<[kinds: string[], what: string, before: Post | null, after: Post]>([
    [[], 'that is booked', null, booked],
    [['post_to_look_at'], 'that is new', booked, live],
    [['post_to_look_at'], 'that is new with its line', null, live],
    [['post_to_look_at'], 'in place of another', { ...live, published_at: hoursAfter(-9) }, live],
    [[], 'that was seen before', live, { ...live, disclosure: null }],
    [['post_missing'], 'that is missing', booked, { ...booked, status: 'blocked', blocked_reason: 'post_missing' }],
    [['post_gone'], 'that is gone', live, blocked('post_gone')],
    [['post_undisclosed'], 'that shows no disclosure', live, blocked('no_disclosure')],
    [[], 'that is blocked still', blocked('post_gone'), blocked('no_disclosure')],
    [['reading_due'], 'that is to be read', live, { ...live, reading_asked_at: AT }],
    [[], 'that somebody was asked to read', { ...live, reading_asked_at: AT }, { ...live, reading_asked_at: AT }],
    [[], 'of a sandbox', null, { ...live, sandbox: true }],
  ])('is %j for one %s', (kinds, _what, before, after) => {
    expect(kindsOf(before, after)).toEqual(kinds);
  });

  it('about a remedy says until when', () => {
    expect(tasksOf(live, blocked('post_gone'), AT)).toMatchObject([{ note: 'By 2026-12-03T12:00:00.000Z.' }]);
    expect(tasksOf(live, { ...blocked('post_gone'), remedy_at: null }, AT)).toMatchObject([{ note: null }]);
    expect(tasksOf(booked, live, AT)).toMatchObject([{ note: null }]);
  });
});

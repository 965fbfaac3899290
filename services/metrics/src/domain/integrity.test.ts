import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { aReading } from '../test/builders.js';
import { aBookedPost, aLivePost, hoursAfter } from '../test/posts.js';
import { brokenAt, changesBetween, digestOf, type IntegrityEntry, seenOf, withEntries } from './integrity.js';
import type { Post } from './post.js';
import { figuresOf } from './reading.js';

const content = { text: 'A plain day.', media_ids: ['m1', 'm2'] };
const live = aLivePost({ _id: 'line', ws: 'ws', content });
const booked = aBookedPost({ _id: 'line', ws: 'ws' });
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** docs/domain/orders.md#integrity. */
describe('what is seen of a post', () => {
  it('is nothing before there is one', () => {
    expect([seenOf(null), seenOf(booked)]).toEqual([null, null]);
  });

  it('is its text, media, disclosure and counts', () => {
    const figures = figuresOf(hoursAfter(0), [aReading(1)]);
    expect(seenOf({ ...live, figures })).toEqual({
      post_id: '77',
      present: true,
      text: 'A plain day.',
      media_ids: ['m1', 'm2'],
      disclosure: '#ad',
      views: 18_402,
      likes: 212,
    });
    const unseen = { text: null, media_ids: [], views: null, likes: null };
    expect(seenOf({ ...live, content: null })).toMatchObject(unseen);
    expect(seenOf({ ...live, gone_at: hoursAfter(1) })).toMatchObject({ present: false });
  });

  it('has a digest of its canonical JSON', () => {
    const seen = { post_id: '7', present: true, text: 'ä', media_ids: [], disclosure: null, views: 1, likes: null };
    expect(digestOf(seen)).toBe(
      sha256('{"disclosure":null,"likes":null,"media_ids":[],"post_id":"7","present":true,"text":"ä","views":1}'),
    );
  });

  it.each<[kinds: string[], what: string, before: Post | null, after: Post]>([
    [[], 'no post', null, booked],
    [[], 'no change', live, live],
    [['accepted'], 'the first post', booked, live],
    [['accepted'], 'the first post of a line that was not known', null, live],
    [['withdrawn'], 'a rejected post', live, booked],
    [['withdrawn', 'accepted'], 'another post', live, { ...live, post_id: '78' }],
    [['deleted'], 'a post that is gone', live, { ...live, gone_at: hoursAfter(1) }],
    [['restored'], 'a post that is back', { ...live, gone_at: hoursAfter(1) }, live],
    [['edited'], 'another text', live, { ...live, content: { ...content, text: 'Another day.' } }],
    [['edited'], 'other media', live, { ...live, content: { ...content, media_ids: ['m1'] } }],
    [['disclosure_hidden'], 'a disclosure that is hidden', live, { ...live, disclosure: null }],
    [['disclosure_shown'], 'a disclosure that is shown', { ...live, disclosure: null }, live],
    [['inflated'], 'counts that were inflated', live, { ...live, inflated_by: 20 }],
    [[], 'counts that are inflated still', { ...live, inflated_by: 20 }, { ...live, inflated_by: 20 }],
    [
      ['deleted', 'edited', 'disclosure_hidden', 'inflated'],
      'all of it',
      live,
      { ...live, gone_at: hoursAfter(1), content: null, disclosure: null, inflated_by: 20 },
    ],
  ])('changes by %j: %s', (kinds, _what, before, after) => {
    expect(changesBetween(before, after)).toEqual(kinds);
  });
});

describe('the chain of a line', () => {
  const first = withEntries(null, live, hoursAfter(1));
  const second = withEntries(first.post, { ...first.post, post_id: '78', attempt: 2 }, hoursAfter(2));
  const chain: IntegrityEntry[] = [...first.entries, ...second.entries];
  const [one, two, three] = chain as [IntegrityEntry, IntegrityEntry, IntegrityEntry];

  it('begins with the acceptance of a post', () => {
    const was = seenOf(live);
    const body = { ws: 'ws', line_id: 'line', attempt: 1, seq: 1, at: hoursAfter(1), kind: 'accepted' };
    expect(first.entries).toEqual([
      {
        _id: 'line|1',
        ...body,
        before: null,
        after: was,
        previous_hash: null,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(first.post.integrity).toEqual({ seq: 1, hash: one.hash, kind: 'accepted', at: hoursAfter(1) });
  });

  it('continues without gaps, and names the attempt whose post it was', () => {
    expect(chain.map(({ seq, kind, attempt }) => [seq, kind, attempt])).toEqual([
      [1, 'accepted', 1],
      [2, 'withdrawn', 1],
      [3, 'accepted', 2],
    ]);
    expect([two.previous_hash, three.previous_hash]).toEqual([one.hash, two.hash]);
    expect([two.before, two.after, three.before]).toEqual([seenOf(live), null, null]);
    expect(withEntries(second.post, second.post, hoursAfter(3))).toEqual({ post: second.post, entries: [] });
  });

  it('is whole, from its start or from any entry', () => {
    expect(brokenAt(chain)).toBeNull();
    expect(brokenAt([two, three], { seq: 1, hash: one.hash })).toBeNull();
    expect(brokenAt([])).toBeNull();
  });

  it.each<[place: number, what: string, entries: IntegrityEntry[]]>([
    [1, 'an entry that says something else', [{ ...one, attempt: 9 }, two, three]],
    [2, 'an entry of another time', [one, { ...two, at: hoursAfter(9) }, three]],
    [3, 'an entry that is left out', [one, three]],
    [2, 'the first entries left out', [two, three]],
    [2, 'another hash before', [one, { ...two, previous_hash: three.hash }, three]],
    [2, 'another hash', [one, { ...two, hash: three.hash }, three]],
    [1, 'an entry twice', [one, one, two]],
  ])('is broken at %i by %s', (place, _what, entries) => {
    expect(brokenAt(entries)).toBe(place);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { feedCursor, feedPlaceIn } from './feed-cursor.js';

describe('a cursor of the feed (docs/domain/events.md#events)', () => {
  test('names its place, in its own workspace alone', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.nat(), (ws, other, seq) => {
        const cursor = feedCursor(ws, seq);
        expect(cursor).toMatch(/^[\w-]{1,120}$/);
        expect(feedPlaceIn(ws, cursor)).toBe(seq);
        if (other !== ws) expect(feedPlaceIn(other, cursor)).toBeNull();
      }),
    );
  });

  test('is nothing that somebody makes up', () => {
    fc.assert(fc.property(fc.uuid(), fc.string(), (ws, text) => expect(feedPlaceIn(ws, text)).toBeNull()));
    const odd = Buffer.from('007.00000000').toString('base64url');
    expect(feedPlaceIn('ws', odd)).toBeNull();
  });
});

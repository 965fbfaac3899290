import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { HEARTBEAT_MS } from './domain/feed-times.js';
import { feedStream, type StreamParts } from './feed-stream.js';
import { FeedWatch } from './feed-watch.js';
import type { FeedEvent } from './store/feed.js';

const FOLLOWING = { ws: '6d1f9c1e-3c57-4a6b-8f0e-9a1f0b2c3d4e', seq: 0, kinds: undefined };

/** The stream of a feed by itself; operations/events.test.ts has it over HTTP (docs/domain/events.md#events). */
describe('a stream of events', () => {
  let watch: FeedWatch;
  let freed: number;
  let endless: boolean;
  beforeEach(() => {
    watch = new FeedWatch(async () => new Map());
    freed = 0;
    endless = false;
  });

  const anEvent = (seq: number): FeedEvent => ({
    id: `event-${seq}`,
    ws: FOLLOWING.ws,
    seq,
    at: new Date(0),
    kind: 'plan.changed',
    aggregate: { type: 'plan', id: FOLLOWING.ws },
    version: seq,
    data: { text: 'x'.repeat(2_000) },
  });
  const feed: StreamParts['feed'] = {
    head: async () => (endless ? Number.MAX_SAFE_INTEGER : 0),
    next: async ({ seq }, _head, limit) => {
      const events = endless ? Array.from({ length: limit }, (_none, at) => anEvent(seq + at + 1)) : [];
      return { events, seq: seq + events.length };
    },
  };
  const aStream = (lastsMs = 60_000, over: Partial<StreamParts> = {}) =>
    feedStream(FOLLOWING, {
      feed,
      watch,
      mayGoOn: async () => true,
      ended: async () => {
        freed += 1;
      },
      log: pino({ level: 'silent' }),
      lastsMs,
      ...over,
    });

  test('frees its place when its client leaves before the first byte', async () => {
    const stream = aStream();
    stream.destroy();
    await once(stream, 'close');
    expect(freed).toBe(1);
  });

  test('frees its place once when its client leaves while it waits', async () => {
    const stream = aStream();
    await once(stream, 'data');
    while (watch.waiting === 0) await nextTurn();
    stream.destroy();
    await once(stream, 'close');
    expect([freed, watch.waiting]).toEqual([1, 0]);
  });

  test('ends without its next heartbeat when its caller may not read any more', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const texts: string[] = [];
      const stream = aStream(60_000, { mayGoOn: async () => false });
      stream.on('data', (text) => texts.push(String(text)));
      const closed = once(stream, 'close');
      while (watch.waiting === 0) await nextTurn();
      const before = texts.length;
      await jest.advanceTimersByTimeAsync(HEARTBEAT_MS);
      await closed;
      expect([texts.length - before, stream.readableEnded]).toEqual([0, true]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('ends when the process stops', async () => {
    const stream = aStream();
    const closed = once(stream, 'close');
    await once(stream, 'data');
    watch.close();
    stream.resume();
    await closed;
    expect([freed, stream.readableEnded]).toEqual([1, true]);
  });

  test('ends in its time when its client does not read on', async () => {
    endless = true;
    const stream = aStream(1);
    await once(stream, 'readable');
    await once(stream, 'close');
    expect([freed, stream.readableEnded]).toEqual([1, false]);
  });

  test('does not keep a stopping process when its client does not read on', async () => {
    endless = true;
    const stream = aStream();
    await once(stream, 'readable');
    watch.close();
    await once(stream, 'close');
    expect([freed, stream.readableEnded]).toEqual([1, false]);
  });
});

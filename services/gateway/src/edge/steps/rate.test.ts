import { describe, expect, test } from '@jest/globals';
import { checkWindow, rateHeaders, rateOf } from './rate.js';

const win = new Date('2026-11-21T12:00:00.000Z');
const at = (seconds: number) => new Date(win.getTime() + seconds * 1_000);

describe('the minute window of a key (docs/reliability.md#authentication)', () => {
  test.each([
    ['the first request', 1, 0, 59, 60, false],
    ['the sixtieth is served', 60, 43, 0, 17, false],
    ['part of a second counts as a whole one, so that waiting helps', 60, 43.001, 0, 17, false],
    ['even a tiny part', 60, 43.999, 0, 17, false],
    ['the next is refused', 61, 59.999, 0, 1, true],
    ['a window ahead of the clock still waits at least a second', 61, 60, 0, 1, true],
  ])('%s', (_name, n, seconds, left, reset, refused) => {
    const rate = rateOf({ win, n, seen_at: at(seconds) }, 60, 'key');
    expect(rate).toEqual({
      scope: 'key',
      reason: 'request_rate',
      limit: 60,
      left,
      resetSeconds: reset,
      resetsAt: at(60),
      refused,
    });
  });

  test('no reset of the minute ends before the window does', () => {
    for (let ms = 0; ms < 60_000; ms += 1) {
      const { resetSeconds, resetsAt } = rateOf({ win, n: 61, seen_at: at(ms / 1_000) }, 60, 'key');
      expect(win.getTime() + ms + resetSeconds * 1_000 - resetsAt.getTime()).toBe(
        (1_000 - ((60_000 - ms) % 1_000)) % 1_000,
      );
    }
  });

  test('the headers say the same in both forms', () => {
    expect(rateHeaders(rateOf({ win, n: 19, seen_at: at(43) }, 60, 'key'))).toEqual({
      'RateLimit-Limit': '60',
      'RateLimit-Remaining': '41',
      'RateLimit-Reset': '17',
      'RateLimit-Policy': '"minute";q=60;w=60',
      RateLimit: '"minute";r=41;t=17',
    });
  });

  test('a refusal carries reason, scope, limit, resets_at and retry_after', () => {
    expect(() => checkWindow(rateOf({ win, n: 61, seen_at: at(43) }, 60, 'key'))).toThrow(
      expect.objectContaining({
        code: 'rate_limited',
        details: {
          reason: 'request_rate',
          scope: 'key',
          limit: 60,
          resets_at: '2026-11-21T12:01:00.000Z',
          retry_after: 17,
        },
      }),
    );
  });

  test('a guest is refused for a reason of its own', () => {
    expect(() => checkWindow(rateOf({ win, n: 61, seen_at: at(43) }, 60, 'address', 'guest_rate'))).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^This address has used its 60 requests/),
        details: expect.objectContaining({ reason: 'guest_rate', scope: 'address', retry_after: 17 }),
      }),
    );
  });
});

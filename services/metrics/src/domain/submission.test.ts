import { describe, expect, it } from '@jest/globals';
import { X_EPOCH_MS } from './constants.js';
import { madeAt, postAddress, readPostUrl, submissionProblems } from './submission.js';

const idAt = (instant: string): string => (BigInt(Date.parse(instant) - X_EPOCH_MS) << 22n).toString();
const FACTS = {
  handle: 'Demo_Ada',
  paidAt: new Date('2026-11-30T12:00:00Z'),
  windowStart: '2026-12-01',
  windowEnd: '2026-12-20',
  agreedDate: '2026-12-05',
  now: new Date('2026-12-30T00:00:00Z'),
};

/** docs/domain/orders.md#proof. */
describe('the address of a post', () => {
  it.each([
    'https://x.com/demo_ada/status/1234567890123456789',
    'http://x.com/demo_ada/status/1234567890123456789',
    'x.com/demo_ada/status/1234567890123456789',
    ' https://twitter.com/demo_ada/status/1234567890123456789?s=20&t=abc ',
    'https://mobile.twitter.com/demo_ada/status/1234567890123456789/photo/1',
    'https://www.x.com/demo_ada/status/1234567890123456789#m',
    'HTTPS://X.com/demo_ada/status/1234567890123456789/',
    'https://x.com/demo_ada/status/01234567890123456789',
  ])('%s is read', (text) => {
    expect(readPostUrl(text)).toEqual({ handle: 'demo_ada', postId: '1234567890123456789' });
  });

  it.each([
    'https://x.com/demo_ada',
    'https://x.com/i/status/1234567890123456789',
    'https://x.com/demo_ada/status/12a',
    'https://x.com/a_handle_that_is_too_long/status/123',
    'https://x.com.example.com/demo_ada/status/123',
    'https://example.com/demo_ada/status/123',
    'https://user@x.com/demo_ada/status/123',
    'https://x.com:8443/demo_ada/status/123',
    'javascript://x.com/demo_ada/status/123',
    'not an address',
    '',
  ])('%s is not', (text) => {
    expect(readPostUrl(text)).toBeNull();
  });

  it('says when the post was made', () => {
    expect(madeAt(idAt('2026-12-05T10:00:00.000Z')).toISOString()).toBe('2026-12-05T10:00:00.000Z');
  });
});

describe('a submitted post', () => {
  const problem = (handle: string, instant: string, over: Partial<typeof FACTS> = {}): string | undefined =>
    submissionProblems({ handle, postId: idAt(instant) }, { ...FACTS, ...over })[0]?.message;

  it.each<[string, string, string, RegExp | undefined]>([
    ['in another case', 'DEMO_ADA', '2026-12-05T10:00:00Z', undefined],
    ['of somebody else', 'demo_bea', '2026-12-05T10:00:00Z', /@demo_bea/],
    ['of the first day', 'demo_ada', '2026-12-01T00:00:00Z', undefined],
    ['before the window', 'demo_ada', '2026-11-30T23:59:59Z', /launch window/],
    ['before the payment', 'demo_ada', '2026-11-30T11:59:59Z', /payment/],
    ['three days after the window', 'demo_ada', '2026-12-23T23:59:59Z', undefined],
    ['four days after the window', 'demo_ada', '2026-12-24T00:00:00Z', /2026-12-23 at the latest/],
    ['in the future', 'demo_ada', '2026-12-30T00:00:01Z', /exist already/],
  ])('%s', (_what, handle, instant, message) => {
    const found = problem(handle, instant);
    if (message === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(message);
  });

  it('may be three days later than a day that was agreed after the window', () => {
    expect(problem('demo_ada', '2026-12-28T10:00:00Z', { agreedDate: '2026-12-25' })).toBeUndefined();
  });
});

describe('a post at a bound', () => {
  const problems = (instant: string, over: Partial<typeof FACTS> = {}): unknown =>
    submissionProblems({ handle: 'demo_ada', postId: idAt(instant) }, { ...FACTS, ...over });

  it.each([
    ['of this very moment', '2026-12-10T00:00:00.000Z', { now: new Date('2026-12-10T00:00:00.000Z') }],
    ['of the moment of payment', '2026-12-01T12:00:00.000Z', { paidAt: new Date('2026-12-01T12:00:00.000Z') }],
    ['of the first day of the window', '2026-12-01T00:00:00.000Z', {}],
    ['of the third day after the window', '2026-12-23T23:59:59.999Z', {}],
    ['of the third day after a later agreed day', '2026-12-28T23:59:59.999Z', { agreedDate: '2026-12-25' }],
  ])('counts: %s', (_what, instant, over) => {
    expect(problems(instant, over)).toEqual([]);
  });

  it.each([
    [
      'a moment ahead',
      '2026-12-10T00:00:00.001Z',
      { now: new Date('2026-12-10T00:00:00.000Z') },
      'must exist already; its id says 2026-12-10T00:00:00.001Z',
    ],
    [
      'a moment before the payment',
      '2026-12-01T11:59:59.999Z',
      { paidAt: new Date('2026-12-01T12:00:00.000Z') },
      'must be newer than the payment of 2026-12-01T12:00:00.000Z; it is of 2026-12-01',
    ],
    [
      'of the day before the window',
      '2026-11-30T23:59:59.999Z',
      {},
      'must not be older than the launch window, which begins 2026-12-01; it is of 2026-11-30',
    ],
    [
      'of the fourth day after the window',
      '2026-12-24T00:00:00.000Z',
      {},
      'must be of 2026-12-23 at the latest; it is of 2026-12-24',
    ],
  ])('does not count: %s', (_what, instant, over, message) => {
    expect(problems(instant, over)).toEqual([{ field: 'url', message }]);
  });

  it('is of the creator of the line', () => {
    expect(submissionProblems({ handle: 'other', postId: '1' }, FACTS)).toMatchObject([{ field: 'url' }]);
    expect(postAddress('ada', '7')).toBe('https://x.com/ada/status/7');
  });

  it.each([
    'https://mobile.x.com/ada/status/7',
    'https://www.twitter.com/ada/status/7',
    'https://mobile.twitter.com/ada/statuses/7',
  ])('has an address at %s', (url) => {
    expect(readPostUrl(url)).toEqual({ handle: 'ada', postId: '7' });
  });

  it.each(['https://x.com/a/b/ada/status/7', 'x.com/ada/status/', 'x.com//status/7', 'not://x.com/ada/status/7'])(
    'has none at %s',
    (url) => {
      expect(readPostUrl(url)).toBeNull();
    },
  );
});

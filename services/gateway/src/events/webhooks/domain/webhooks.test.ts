import { describe, expect, test } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { AT_ONCE, chosen } from './webhook-choice.js';
import { afterFailure, outcomeOf, retryAt, TRIED_MS } from './webhook-retries.js';
import { SECRET_BYTES, secretText, signatureOf, signing } from './webhook-signature.js';

const START = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const later = (ms: number): Date => new Date(START.getTime() + ms);

describe('when a webhook is tried again (docs/domain/events.md#webhooks)', () => {
  test.each<[tries: number, spread: number, pauseMs: number]>([
    [1, 0, 5_000],
    [2, 0, 300_000],
    [3, 0, 1_800_000],
    [4, 0, 2 * HOUR_MS],
    [5, 0, 5 * HOUR_MS],
    [6, 0, 10 * HOUR_MS],
    [6, 1, 10 * HOUR_MS],
    [7, 0, 10 * HOUR_MS],
    [7, 0.5, 12 * HOUR_MS],
    [7, 1, 14 * HOUR_MS],
    [20, 1, 14 * HOUR_MS],
  ])('after failure %i at a spread of %d it waits %i ms', (tries, spread, pauseMs) => {
    expect(retryAt(tries, START, START, spread)).toEqual(later(pauseMs));
  });

  test('the last attempt is at the end of the three days, and after it there is none', () => {
    expect(retryAt(9, START, later(TRIED_MS - 1), 1)).toEqual(later(TRIED_MS));
    expect(retryAt(10, START, later(TRIED_MS), 0)).toBeNull();
  });

  test.each([0, 0.25, 0.5, 0.75, 1])(
    'at a spread of %d the whole takes three days and at most 12 attempts',
    (spread) => {
      const times = [START];
      for (let next: Date | null = START; ; ) {
        next = retryAt(times.length, START, next, spread);
        if (next === null) break;
        times.push(next);
      }
      expect(times.at(-1)).toEqual(later(TRIED_MS));
      expect(times.length).toBeGreaterThanOrEqual(11);
      expect(times.length).toBeLessThanOrEqual(13);
    },
  );

  test.each<[status: number, problem: string | null]>([
    [199, 'status'],
    [200, null],
    [204, null],
    [299, null],
    [300, 'redirect'],
    [308, 'redirect'],
    [304, 'redirect'],
    [400, 'status'],
    [410, 'status'],
    [500, 'status'],
    [999, 'status'],
  ])('status %i is %s', (status, problem) => {
    expect(outcomeOf(status)).toEqual({ status, problem });
  });

  const failed = (over: object = {}, status: number | null = 500, now = START) =>
    afterFailure({ status, problem: 'status' }, { tries: 0, firstAt: START, failingSince: null, ...over }, now, 0);

  test.each<[name: string, found: ReturnType<typeof failed>, wanted: ReturnType<typeof failed>]>([
    ['a first failure is tried again', failed(), { at: later(5_000) }],
    ['410 disables at once', failed({}, 410), { because: 'gone' }],
    ['no answer is no 410', failed({}, null), { at: later(5_000) }],
    ['404 is tried again', failed({}, 404), { at: later(5_000) }],
    ['an event of three days disables', failed({}, 500, later(TRIED_MS)), { because: 'failing' }],
    ['an endpoint that fails for three days too', failed({ failingSince: later(-TRIED_MS) }), { because: 'failing' }],
    ['a moment less does not', failed({ failingSince: later(1 - TRIED_MS) }), { at: later(5_000) }],
  ])('%s', (_name, found, wanted) => {
    expect(found).toEqual(wanted);
  });
});

describe('signatures of webhooks', () => {
  const secret = secretText(Buffer.alloc(SECRET_BYTES, 7));
  const other = secretText(Buffer.alloc(SECRET_BYTES, 9));
  const seconds = Math.floor(Date.now() / 1_000);
  const headers = (signature: string) => ({
    'webhook-id': 'id',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature,
  });

  test('are those of an independent implementation', () => {
    const theirs = new Verifier(secret).sign('id', new Date(seconds * 1_000), '{"a":"ü"}');
    expect(signatureOf([secret], 'id', seconds, '{"a":"ü"}')).toBe(theirs);
  });

  test('are one for each secret, and each verifies', () => {
    const signature = signatureOf([other, secret], 'id', seconds, '{}');
    expect(signature.split(' ')).toHaveLength(2);
    for (const one of [secret, other]) expect(new Verifier(one).verify('{}', headers(signature))).toEqual({});
    const third = secretText(Buffer.alloc(SECRET_BYTES, 1));
    expect(() => new Verifier(third).verify('{}', headers(signature))).toThrow();
  });

  test('an old secret signs until its end, and not at that instant', () => {
    const secrets = [{ ends_at: null }, { ends_at: later(1) }, { ends_at: START }, { ends_at: later(-1) }];
    expect(signing(secrets, START)).toEqual(secrets.slice(0, 2));
  });
});

describe('which lanes begin', () => {
  const lane = (ws: string, endpoint_id: string) => ({ ws, endpoint_id });
  const many = (n: number, ws: string, endpoint: string) => Array.from({ length: n }, () => lane(ws, endpoint));
  const none = () => false;

  test.each<[name: string, picked: number, due: ReturnType<typeof many>, running: ReturnType<typeof many>]>([
    ['an endpoint has four places', 4, many(9, 'a', 'e'), []],
    ['what runs counts', 1, many(9, 'a', 'e'), many(3, 'a', 'e')],
    ['a workspace has eight', 8, ['e', 'f', 'g'].flatMap((one) => many(4, 'a', one)), []],
    ['the process has 64', 64, Array.from({ length: 99 }, (_none, n) => lane(`w${n}`, `e${n}`)), []],
    ['one endpoint leaves the others theirs', 8, [...many(50, 'a', 'e'), ...many(9, 'b', 'f')], []],
  ])('%s', (_name, picked, due, running) => {
    expect(chosen(due, running, none)).toHaveLength(picked);
  });

  test('an endpoint that fails has one, and the order is kept', () => {
    const due = [lane('a', 'bad'), lane('a', 'good'), lane('a', 'bad'), lane('b', 'good2')];
    expect(chosen(due, [], (id) => id === 'bad')).toEqual([due[0], due[1], due[3]]);
    expect(AT_ONCE.failingEndpoint).toBe(1);
  });
});

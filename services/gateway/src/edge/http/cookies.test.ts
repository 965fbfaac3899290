import { describe, expect, test } from '@jest/globals';
import { cookieIn, hasSessionCookie, sessionCookie } from './cookies.js';

describe('cookies of sessions (docs/domain/sign-in.md#sign-in)', () => {
  test.each([
    ['alone', ['cds_session=a'], 'a'],
    ['among others', ['x=1; cds_session=a; y=2'], 'a'],
    ['in a second header', ['x=1', 'cds_session=a'], 'a'],
    ['twice', ['cds_session=a; cds_session=b'], null],
    ['twice with one value', ['cds_session=a', 'cds_session=a'], null],
    ['empty', ['cds_session='], null],
    ['under a longer name', ['xcds_session=a; cds_sessions=b'], null],
    ['missing', [], null],
  ])('a cookie %s', (_name, headers, value) => {
    expect(cookieIn(headers, 'cds_session')).toBe(value);
  });

  test.each([
    [['cds_session=a'], true],
    [['x=1;cds_ops_session=a'], true],
    [['cds_session='], true],
    [['xcds_session=a'], false],
    [['other=cds_session'], false],
    [[], false],
  ])('%j has a session: %s', (headers, has) => {
    expect(hasSessionCookie(headers)).toBe(has);
  });

  test.each([
    ['https://app.example', true],
    ['http://app.example', true],
    ['https://localhost.evil.example', true],
    ['http://localhost:4000', false],
    ['http://127.0.0.1:4000', false],
    ['http://[::1]:4000', false],
  ])('at %s the cookie is Secure: %s', (appUrl, secure) => {
    const set = sessionCookie(appUrl, 'cds_session', 'a', 60);
    expect(set).toBe(`cds_session=a; Path=/; Max-Age=60; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`);
  });
});

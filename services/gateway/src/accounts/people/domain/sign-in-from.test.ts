import { describe, expect, test } from '@jest/globals';
import { auditedFrom, keptUserAgent, whereFrom } from './sign-in-from.js';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const from = (user_agent: string, address = '192.0.2.7') => ({ address, user_agent });

describe('where a sign-in came from', () => {
  test.each([
    [`${MAC} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on macOS'],
    [`${MAC} Version/18.0 Safari/605.1.15`, 'Safari on macOS'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on an iPhone'],
    ['curl/8.5.0', 'curl'],
    ['', 'an unknown program'],
    ['Verify your account at https://evil.example', 'an unknown program'],
  ])('"%s" is named %s', (userAgent, program) => {
    expect(whereFrom(from(userAgent), null)).toBe(`from 192.0.2.7 with ${program}`);
  });

  test('names where the link was asked for if that was elsewhere', () => {
    const [curl, here] = [from('curl/8.5.0', '198.51.100.9'), from('Firefox/140.0')];
    expect(whereFrom(here, here)).toBe('from 192.0.2.7 with Firefox, where the link was asked for too');
    expect(whereFrom(here, curl)).toBe(
      'from 192.0.2.7 with Firefox; the link was asked for from 198.51.100.9 with curl',
    );
  });

  test('is audited with what the programs call themselves', () => {
    expect(auditedFrom(from('one/1'), from('two/2', '198.51.100.9'))).toBe(
      'from 192.0.2.7 "one/1"; link asked for from 198.51.100.9 "two/2"',
    );
    expect(auditedFrom(from('one/1'), null)).toBe('from 192.0.2.7 "one/1"; link asked for from unknown');
  });

  test('is audited so that no program poses as an address', () => {
    expect(auditedFrom(from('one/1"; link asked for from 203.0.113.1 "two/2'), null)).toBe(
      'from 192.0.2.7 "one/1\\"; link asked for from 203.0.113.1 \\"two/2"; link asked for from unknown',
    );
  });

  test('keeps one short line of what a program calls itself', () => {
    expect(keptUserAgent('one\r\ntwo\u2028three\u0000')).toBe('one two three ');
    expect(keptUserAgent('x'.repeat(1_000))).toHaveLength(200);
  });
});

import { describe, expect, test } from '@jest/globals';
import { publicUrlInput } from './public-url.js';

const read = (text: string): string | null => {
  const { success, data } = publicUrlInput({ max: 500 }).safeParse(text);
  return success ? data : null;
};

describe('the address of a page that people open (docs/domain/requests.md#text)', () => {
  test.each([
    'https://acme.example/launch?utm=1#top',
    'https://docs.acme.example:8443/a_b/@team',
    'HTTPS://Acme.Example',
    'https://münchen.de/straße',
    'https://яндекс.рф/новости',
    'https://日本語.jp/製品',
  ])('%s stays as it was written', (written) => {
    expect(read(written)).toBe(written);
  });

  test.each([
    ['a Cyrillic letter in a Latin name', 'https://аcme.com/x', 'https://xn--cme-5cd.com/x'],
    ['a name of lookalikes alone', 'https://аррӏе.com/login', 'https://xn--80ak6aa92e.com/login'],
    ['a phonetic letter', 'https://ɡoogle.com/x', 'https://xn--oogle-qmc.com/x'],
    ['a dotless i', 'https://gıthub.com', 'https://xn--gthub-n4a.com'],
    ['a Greek letter', 'https://gοogle.com', 'https://xn--gogle-rce.com'],
  ])('%s is shown in ASCII', (_name, written, shown) => {
    expect(read(written)).toBe(shown);
  });

  test.each([
    ['credentials', 'https://x.com@evil.example/login'],
    ['credentials with a password', 'https://a:b@evil.example'],
    ['an encoded at sign in the host', 'https://x.com%40evil.example/'],
    ['three slashes', 'https:///example.com'],
    ['one slash', 'https:/example.com'],
    ['a backslash', 'https:\\\\example.com'],
    ['a backslash after the host', 'https://acme.com\\@evil.example'],
    ['this machine', 'https://localhost/x'],
    ['a name of this machine', 'https://app.localhost'],
    ['this machine, absolutely', 'https://localhost./x'],
    ['a host of a cluster', 'https://billing.default.svc'],
    ['a printer', 'https://printer.local'],
    ['one word', 'https://intranet/wiki'],
    ['an address', 'https://127.0.0.1/x'],
    ['an address of six', 'https://[::1]/'],
    ['an address as one number', 'https://2130706433/'],
    ['an address in octal', 'https://0177.0.0.1'],
    ['an override', 'https://acme.example/\u202Egnp.exe'],
    ['an isolate in the host', 'https://ac\u2068me.example'],
    ['a zero-width space', 'https://acme.example/\u200Blogin'],
    ['a soft hyphen in the host', 'https://ac\u00ADme.example'],
    ['a lookalike of a slash', 'https://acme.com\u2215login.evil.example'],
    ['a full stop of full width', 'https://acme\uFF0Ecom'],
    ['another scheme', 'http://acme.example'],
    ['a script', 'javascript:alert(1)'],
    ['no scheme', '//acme.example'],
    ['a space', 'https://acme.example/a b'],
    ['a line break', 'https://acme.example/a\nb'],
  ])('is refused with %s', (_name, written) => {
    expect(read(written)).toBeNull();
  });
});

import { describe, expect, test } from '@jest/globals';
import { page } from './page.js';

const bodyOf = (data: Record<string, unknown>): string =>
  String(page('message', { title: 'The title of the page', message: 'm', ...data }).body);

describe('a page of the application', () => {
  test('has one main heading, a link past the header, and a footer', () => {
    const body = bodyOf({});
    expect(body.match(/<h1>/g)).toHaveLength(1);
    expect(body).toContain('href="#main"');
    expect(body).toContain('<footer');
  });

  test('names its style by hash, and no script unless it asks for them', () => {
    expect(bodyOf({})).toMatch(/href="\/assets\/page-[0-9a-f]{16}\.css"/);
    expect(bodyOf({})).not.toContain('<script');
    expect(bodyOf({ scripts: true })).toMatch(/<script type="module" src="\/assets\/copy-[0-9a-f]{16}\.js"/);
  });

  test.each([
    ['pages of tokens send no referrer', { secretUrl: true }, 'Referrer-Policy', /^no-referrer$/],
    ['other pages send one to ourselves', {}, 'Referrer-Policy', /^same-origin$/],
    ['no page may be framed', {}, 'Content-Security-Policy', /frame-ancestors 'none'/],
    ['a page without scripts allows none', {}, 'Content-Security-Policy', /^(?!.*script-src)default-src 'none'/],
    ['a page with scripts allows ours', { scripts: true }, 'Content-Security-Policy', /script-src 'self'(;|$)/],
    ['most pages are not indexed', {}, 'X-Robots-Tag', /noindex/],
  ])('%s', (_name, kind, header, value) => {
    expect(page('message', { title: 't', message: 'm', ...kind }).headers[header]).toMatch(value);
  });
});

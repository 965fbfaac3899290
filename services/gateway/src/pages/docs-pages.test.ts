import { API_VERSION, ERROR_CODE_NAMES, errorPath, publishedOperations, REASON_GUIDE } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { crawl } from '../test/crawl.js';
import { ask } from '../test/http.js';
import { testEdge } from '../test/suite.js';

const APP_URL = 'http://app.test';

describe('the public documents', () => {
  const app = testEdge('docs_pages');

  /** Counts nothing, for tests that ask more often than one address may. */
  const uncounted = async <T>(work: () => Promise<T>): Promise<T> => {
    const { windows } = app.edge;
    let asked = 0;
    app.edge.windows = { count: (id, maxTimeMs) => windows.count(`${id}:${asked++}`, maxTimeMs) };
    try {
      return await work();
    } finally {
      app.edge.windows = windows;
    }
  };

  test('every link and anchor leads somewhere, and nothing is loaded from elsewhere', async () => {
    const starts = [
      '/',
      '/docs/',
      '/llms.txt',
      '/openapi.json',
      '/sitemap.xml',
      '/changelog',
      '/version',
      '/changelog.json',
    ];
    const people = ['/signup', '/sign-in', '/join', '/developers', '/terms/brand/2026-11-01'];
    const { broken, outside, visited } = await uncounted(() => crawl(app.url, APP_URL, [...starts, ...people]));
    expect(broken).toEqual([]);
    expect(outside).toEqual([]);
    const expected = [
      ...publishedOperations().map(({ name }) => `/docs/reference/${name}`),
      ...ERROR_CODE_NAMES.flatMap((code) => [
        errorPath(code),
        ...Object.keys(REASON_GUIDE[code] ?? {}).map((reason) => errorPath(code, reason)),
      ]),
    ].flatMap((path) => [path, `${path}.md`]);
    expect(expected.filter((path) => !visited.has(path))).toEqual([]);
  }, 120_000);

  test('a page says where its Markdown is, and that has the same words', async () => {
    const page = await ask(app.url, '/docs/guides/first-plan');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<link rel="alternate" type="text/markdown" href="/docs/guides/first-plan.md">');
    expect(page.text).toContain('<h1 id="first-plan">First plan</h1>');
    const markdown = await ask(app.url, '/docs/guides/first-plan.md');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toContain('# First plan\n');
    const changes = await ask(app.url, '/changelog', { headers: { accept: 'text/markdown' } });
    expect(changes.text).toBe((await ask(app.url, '/changelog.md')).text);
    const asked = await ask(app.url, '/docs/guides/first-plan', { headers: { accept: 'text/markdown, text/plain' } });
    expect([asked.headers.get('content-type'), asked.text]).toEqual(['text/markdown; charset=utf-8', markdown.text]);
    expect([asked.headers.get('vary'), page.headers.get('vary')]).toEqual(['Accept', 'Accept']);
  });

  test.each([
    ['text/markdown', 'markdown'],
    ['Text/Markdown', 'markdown'],
    ['text/markdown, text/html;q=0', 'markdown'],
    ['text/markdown, */*;q=0.1', 'markdown'],
    ['text/markdown;q=0', 'html'],
    ['text/markdown;q=0.000, */*', 'html'],
    ['text/markdown, Text/HTML;q=0.1', 'html'],
    ['*/*', 'html'],
  ])('a client that accepts %s is sent %s', async (accept, kind) => {
    for (const path of ['/docs/guides/first-plan', '/changelog'])
      expect((await ask(app.url, path, { headers: { accept } })).headers.get('content-type')).toContain(`text/${kind}`);
  });

  test('an operation has its endpoint, tool, scope, fields and refusals on one page', async () => {
    const { text } = await ask(app.url, '/docs/reference/plan_swap_creator.md');
    for (const part of [
      '`POST /api/v1/plans/{id}/lines/{line_id}/swap`',
      '`plan_swap_creator`',
      '`campaigns:write`',
      '| `unit_id` | uuid | yes |',
      '(/docs/errors/conflict/already_in_plan)',
      '## Answer',
    ])
      expect(text).toContain(part);
  });

  test('the search finds by all words, without scripts, and shows them escaped', async () => {
    const found = await ask(app.url, '/docs/search?q=terms+fingerprint');
    expect(found.status).toBe(200);
    expect(found.text).toContain('/docs/rules/plans#terms-fingerprint');
    const hostile = await ask(app.url, `/docs/search?q=${encodeURIComponent('"><script>nobody</script>wrote')}`);
    expect(hostile.text).not.toContain('<script>nobody');
    expect(hostile.text).toContain('Nothing has all of');
    const empty = await ask(app.url, '/docs/search');
    expect(empty.text).toContain('Type one or more words');
  });

  test('a client that holds an answer is not sent it again', async () => {
    for (const path of [
      '/docs/',
      '/docs/glossary.md',
      '/llms.txt',
      '/llms-full.txt',
      '/changelog',
      '/changelog.json',
      '/openapi.json',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/api/mcp',
    ]) {
      const first = await ask(app.url, path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      const again = await ask(app.url, path, { headers: { 'if-none-match': `"other", W/${etag}` } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      // The length would be that of a text that the client is not sent (RFC 9110, 8.6).
      expect(again.headers.get('content-length')).toBe(null);
      const changed = await ask(app.url, path, { headers: { 'if-none-match': '"other"' } });
      expect(changed.status).toBe(200);
    }
  });

  test('HEAD answers as GET does, without a body', async () => {
    for (const path of ['/docs/', '/docs/errors/conflict.md', '/llms.txt', '/changelog.atom']) {
      const [get, head] = [await ask(app.url, path), await ask(app.url, path, { method: 'HEAD' })];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-type', 'etag', 'cache-control'])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test('what has no page is 404 as a page, and the folder has its slash', async () => {
    const missing = await ask(app.url, '/docs/guides/rails');
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const folder = await ask(app.url, '/docs');
    expect([folder.status, folder.headers.get('location')]).toEqual([308, '/docs/']);
  });

  test('no page names an operation for operators, people or creators alone', async () => {
    const { text } = await ask(app.url, '/llms-full.txt');
    expect(text).toContain('approve_plan');
    for (const hidden of ['ops_brand_approve', 'member_invite', 'creator_accept']) expect(text).not.toContain(hidden);
  });

  test('the changelog is a page, JSON and a feed of the same versions', async () => {
    const json = (await ask(app.url, '/changelog.json')).json as { releases: { version: string; released: string }[] };
    expect(json.releases[0]).toMatchObject({
      version: API_VERSION,
      released: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    const feed = await ask(app.url, '/changelog.atom');
    expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(feed.text).toContain(`<title>${API_VERSION}</title>`);
    expect(feed.text).not.toMatch(/<content type="html">[^<]*<(?!\/content>)/);
    expect((await ask(app.url, '/changelog')).text).toContain(API_VERSION);
  });

  test('documents share the 120 requests a minute of a client address', async () => {
    const { headers } = await ask(app.url, '/docs/glossary');
    expect(headers.get('ratelimit-limit')).toBe('120');
  });
});

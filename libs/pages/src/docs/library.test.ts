import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Contents, Library } from './library.js';

const APP_URL = 'https://creators.example';

/** A path of this repository, which says nothing to a caller; a path of a URL or of the application is none. */
const OF_REPOSITORY = /(?<![\w/.-])(?:libs|services|packages|tests|tools|deploy|loadtest|docs)\/[\w./-]+/g;
const MCP_METHODS = new Set(['tools/call', 'tools/list']);

/** What a text that explains a placeholder says of it. */
const EXPLAINS = /placeholder|stands? for|in braces|replace(?:d)? (?:it|them|this)? ?(?:by|with) your|your own host/i;

const FENCED = /^```sh\n([\s\S]*?)^```$/gm;

describe('what is published (docs/domain/pages.md#health-and-documents)', () => {
  let contents: Contents;
  let texts: [path: string, text: string][];
  beforeAll(async () => {
    contents = await new Library(APP_URL).contents();
    const files = ['/changelog.md', '/changelog.json', '/changelog.atom', '/llms.txt'];
    texts = [
      ...[...contents.documents].map(([path, { markdown }]): [string, string] => [path, markdown]),
      ...files.map((path): [string, string] => [path, contents.files.get(path)?.text ?? '']),
    ];
  });

  test('has the addresses of this installation instead of placeholders', () => {
    for (const [path, text] of texts) expect([path, text.match(/\{(?:app|base)_url\}/g)]).toEqual([path, null]);
    expect(contents.files.get('/changelog.md')?.text).toContain(`${APP_URL}/api/mcp/guest`);
  });

  test('has no address of a developer’s own machine in a guide, and explains no placeholder by this one', () => {
    const guides = texts.filter(([path]) => path.startsWith('/docs/guides/'));
    expect(guides.length).toBeGreaterThan(9);
    for (const [path, text] of guides) {
      expect([path, text.match(/localhost|127\.0\.0\.1|\[::1\]/g)]).toEqual([path, null]);
      const explained = text.split('\n\n').filter((said) => said.includes(APP_URL) && EXPLAINS.test(said));
      expect([path, explained]).toEqual([path, []]);
    }
  });

  test('names no file of the repository', () => {
    for (const [path, text] of texts)
      expect([path, (text.match(OF_REPOSITORY) ?? []).filter((found) => !MCP_METHODS.has(found))]).toEqual([path, []]);
  });

  test('explains every variable of its lines to copy on the same page', () => {
    for (const [path, text] of texts) {
      const code = [...text.matchAll(FENCED)].map(([, lines = '']) => lines).join('\n');
      const set = new Set([...code.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));
      const used = new Set([...code.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name));
      const words = text.replaceAll(FENCED, '');
      const unsaid = [...used].filter((name) => !set.has(name) && !words.includes(`\`$${name}\``));
      expect([path, unsaid]).toEqual([path, []]);
    }
  });

  test('names the header that continues a stream', () => {
    expect(contents.documents.get('/docs/reference/events_stream')?.markdown).toMatch(
      /^\| `Last-Event-ID` \| header \|/m,
    );
  });
});

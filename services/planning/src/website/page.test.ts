import { describe, expect, it } from '@jest/globals';
import { decodePage, readPage } from './page.js';

const head = (inner: string, body = '') => `<!doctype html><html><head>${inner}</head><body>${body}</body></html>`;
const long = (word: string, count: number) => Array.from({ length: count }, () => word).join(' ');

describe('what a page says about its company (docs/domain/plans.md#company-context)', () => {
  it.each<[string, string, string | null]>([
    [
      'og:site_name',
      head('<title>Home | Other</title><meta property="og:site_name" content="Acme &amp; Sons">'),
      'Acme & Sons',
    ],
    ['the first part of the title', head('<title>Acme | Rockets for everyone</title>'), 'Acme'],
    ['a title with a dash', head('<title>Acme – Rockets for everyone</title>'), 'Acme'],
    ['a title with a colon', head('<title>Acme: rockets</title>'), 'Acme'],
    ['a hyphen inside a name, which does not separate', head('<title>Rolls-Royce</title>'), 'Rolls-Royce'],
    [
      'a blank og:site_name, which counts as none',
      head('<meta property="og:site_name" content=" "><title>Acme</title>'),
      'Acme',
    ],
    [
      'a title without the message in its selectors, since og:site_name is of blank letters',
      head('<meta property="og:site_name" content="\u3164\u2800"><title>A\u{E0131}c\u{E0132}me\u{1D159}</title>'),
      'Acme',
    ],
    [
      'the first title only',
      head('<title>Acme</title>', '<svg><title>Menu</title></svg><svg><title>Close</title></svg>'),
      'Acme',
    ],
    [
      'paragraphs and tags that are never closed',
      '<title>Acme</title><meta name=description content="x"><p>One<p>Two',
      'Acme',
    ],
    ['no title', head(''), null],
  ])('takes its name from %s', (_from, html, name) => {
    const read = readPage(html);
    expect(read.name).toBe(name);
  });

  it.each<[string, string, string | null]>([
    [
      'the meta description',
      head('<META NAME="Description" content="Rockets  for\n everyone">', '<p>No.</p>'),
      'Rockets for everyone',
    ],
    [
      'the first paragraph that says something',
      head('', '<p> </p><p>We build <b>rockets</b>.</p><p>More.</p>'),
      'We build rockets.',
    ],
    ['nothing when there is neither', head('', '<div>Text</div>'), null],
  ])('takes its summary from %s', (_from, html, summary) => {
    expect(readPage(html).summary).toBe(summary);
  });

  it('keeps a summary within 500 characters, cut at a word', () => {
    const { summary } = readPage(head(`<meta name="description" content="${long('rocket', 200)}">`));
    expect([...(summary ?? '')].length).toBeLessThanOrEqual(500);
    expect(summary).toMatch(/ rocket…$/);
  });

  it('reads the visible text, and nothing of scripts, styles and templates', () => {
    const { text } = readPage(
      head(
        '<style>a{}</style>',
        '<script>alert("no")</script><h1>Tools for</h1><template>no</template><p>developers</p>',
      ),
    );
    expect(text).toBe('Tools for developers');
  });

  it('drops characters that reorder, hide or join text (docs/reliability.md#threats)', () => {
    const read = readPage(head('<title>Ac\u202eme\u200b</title><meta name="description" content="A\u0007B">'));
    expect(read).toMatchObject({ name: 'Acme', summary: 'A B' });
  });

  it.each<[string, string]>([
    ['nests without end', '<div>'.repeat(200_000)],
    ['opens paragraphs without end', '<p>x'.repeat(250_000)],
    ['is one endless text', long('deep', 200_000)],
    ['opens a comment and never closes it', `<!--${'-'.repeat(900_000)}`],
    ['has an endless attribute', `<p title="${'x'.repeat(900_000)}`],
  ])('is read within bounds when it %s', (_what, hostile) => {
    const { name, text } = readPage(`<title>Acme</title><p>Tools</p>${hostile}`);
    expect(name).toBe('Acme');
    expect(text).toMatch(/^Tools/);
    expect(text.length).toBeLessThanOrEqual(20_000);
  });
});

describe('the encoding of a page', () => {
  const latin = Buffer.from('<meta charset="iso-8859-1"><title>Caf\u00e9</title>', 'latin1');
  it.each<[string, Buffer, string | null]>([
    ['is what the server names', Buffer.from('<title>Caf\u00e9</title>', 'latin1'), 'windows-1252'],
    ['else what the page names', latin, null],
    ['else UTF-8', Buffer.from('<title>Caf\u00e9</title>'), null],
    ['and UTF-8 for an unknown name', Buffer.from('<title>Caf\u00e9</title>'), 'no-such-thing'],
  ])('%s', (_what, body, charset) => {
    expect(decodePage(body, charset)).toContain('Caf\u00e9');
  });
});

import { API_VERSION } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { changelogAtom, changelogJson, releasesOf } from './changelog.js';
import { readSource } from './library.js';

/** The change history of the specification, newest first (docs/specification.md#versioning). */
const SPECIFIED = [
  ...['1.25.0', '1.24.0', '1.23.1', '1.23.0', '1.22.0', '1.21.0', '1.20.0', '1.19.0', '1.18.0', '1.17.0', '1.16.0'],
  ...['1.15.0', '1.14.0', '1.13.x', '1.12.0 and 1.11.0', '1.10.0', '1.9.0', '1.8.0 to 1.2.0'],
];

const SMALL = `# Changelog

Intro.

## 2.0.0 · 2026-11-21

Words before.

**Served <now>**

- One \`thing\`,
  on two lines. *Concerns you if* you call it: read [this](/docs/).
- Another.

**Not yet**: the rest.

## Earlier versions

No version.

## 1.0.0

- First.
`;

describe('the changelog', () => {
  test('has the current version and every version of the specification, newest first', async () => {
    const releases = releasesOf(await readSource('CHANGELOG.md'));
    expect(releases.map(({ version }) => version)).toEqual(SPECIFIED);
    expect(SPECIFIED[0]).toBe(API_VERSION);
    expect(releases[0]?.released).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const { version, changes } of releases)
      expect({ version, some: changes.some(({ items }) => items.length > 0) }).toEqual({ version, some: true });
  });

  test('is read by version and heading; an item may go on over lines', () => {
    expect(releasesOf(SMALL)).toEqual([
      {
        version: '2.0.0',
        released: '2026-11-21',
        changes: [
          { heading: null, items: [], text: 'Words before.' },
          {
            heading: 'Served <now>',
            items: ['One `thing`, on two lines. *Concerns you if* you call it: read [this](/docs/).', 'Another.'],
            text: '',
          },
          { heading: 'Not yet', items: [], text: 'the rest.' },
        ],
      },
      { version: '1.0.0', released: null, changes: [{ heading: null, items: ['First.'], text: '' }] },
    ]);
  });

  test('as JSON has each change as Markdown and as text, and whom it concerns', () => {
    const { releases } = JSON.parse(changelogJson(releasesOf(SMALL))) as {
      releases: { changes: { items: unknown[] }[] }[];
    };
    expect(releases[0]?.changes[1]?.items[0]).toEqual({
      markdown: 'One `thing`, on two lines. *Concerns you if* you call it: read [this](/docs/).',
      text: 'One thing, on two lines. Concerns you if you call it: read this.',
      concerns: 'Concerns you if',
    });
  });

  test('as a feed has an entry for each version with a day, escaped twice', () => {
    const feed = changelogAtom(releasesOf(SMALL), 'https://cds.example');
    expect(feed.match(/<entry>/g)).toHaveLength(1);
    expect(feed).toContain('<id>https://cds.example/changelog#2.0.0</id>');
    expect(feed).toContain('<updated>2026-11-21T00:00:00Z</updated>');
    expect(feed).toContain('&lt;h3&gt;Served &amp;lt;now&amp;gt;&lt;/h3&gt;');
  });
});

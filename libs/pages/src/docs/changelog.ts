import type { Tokens } from 'marked';
import { blocksOf, sectionsOf } from './links.js';
import { escapeHtml, plainText } from './markdown.js';

/** One version of the changelog; `released` is a day in UTC, null for a version that was only specified. */
export type Release = { version: string; released: string | null; changes: Group[] };
export type Group = { heading: string | null; items: string[]; text: string };

/** A version, or several that one section describes, with the day of its release if it has one. */
const VERSION = /^(\d+\.\d+\.[\dx]+(?: (?:and|to) \d+\.\d+\.\d+)?)(?: · (\d{4}-\d{2}-\d{2}))?$/;
const HEADING = /^\*\*(.+?)\*\*([\s\S]*)$/;

const groupsOf = (section: string): Group[] => {
  const groups: Group[] = [];
  let current: Group = { heading: null, items: [], text: '' };
  const close = (): void => {
    const group = { ...current, text: current.text.trim() };
    if (group.text !== '' || group.items.length > 0) groups.push(group);
  };
  for (const block of blocksOf(section)) {
    const [, heading, rest = ''] = HEADING.exec(block.raw) ?? [];
    if (heading !== undefined) {
      close();
      current = { heading, items: [], text: rest.replace(/^: /, '') };
    } else if (block.type === 'list') {
      const items = (block as Tokens.List).items.map(({ text }) => text.replaceAll(/\s*\n\s*/g, ' '));
      current.items.push(...items);
    } else current.text += block.raw;
  }
  close();
  return groups;
};

export const releasesOf = (changelog: string): Release[] =>
  sectionsOf(changelog).flatMap(({ heading, text }) => {
    const [, version, released = null] = VERSION.exec(heading) ?? [];
    return version === undefined ? [] : { version, released, changes: groupsOf(text) };
  });

/** The changelog for programs: each change as Markdown, and as plain text. */
export const changelogJson = (releases: readonly Release[]): string =>
  JSON.stringify({
    releases: releases.map(({ version, released, changes }) => ({
      version,
      released,
      changes: changes.map(({ heading, items, text }) => ({
        heading,
        text: plainText(text),
        items: items.map((item) => ({ markdown: item, text: plainText(item), concerns: concernsOf(item) })),
      })),
    })),
  });

/** Whom a change concerns, in its own words; null for everybody. */
const concernsOf = (item: string): string | null => {
  const [, words] = /\*(Concerns[^*]+)\*/.exec(item) ?? [];
  return words === undefined ? null : words.replaceAll(/\s+/g, ' ').replace(/[.:]$/, '');
};

const contentOf = ({ changes }: Release): string =>
  changes
    .map(({ heading, items, text }) => {
      const title = heading === null ? '' : `<h3>${escapeHtml(heading)}</h3>`;
      const words = text === '' ? '' : `<p>${escapeHtml(plainText(text))}</p>`;
      const list = items.map((item) => `<li>${escapeHtml(plainText(item))}</li>`).join('');
      return `${title}${words}${list === '' ? '' : `<ul>${list}</ul>`}`;
    })
    .join('');

/** The changelog as an Atom feed (RFC 4287): one entry for each version with a day. */
export const changelogAtom = (releases: readonly Release[], appUrl: string): string => {
  const dated = releases.filter((release) => release.released !== null);
  const page = `${appUrl}/changelog`;
  const entries = dated.map(
    (release) => `  <entry>
    <id>${page}#${release.version}</id>
    <title>${release.version}</title>
    <link href="${page}"/>
    <updated>${release.released}T00:00:00Z</updated>
    <content type="html">${escapeHtml(contentOf(release))}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${page}</id>
  <title>Creator Distribution Service: changes</title>
  <link href="${page}"/>
  <link rel="self" type="application/atom+xml" href="${appUrl}/changelog.atom"/>
  <updated>${dated[0]?.released ?? '1970-01-01'}T00:00:00Z</updated>
  <author><name>Creator Distribution Service</name></author>
${entries.join('\n')}
</feed>
`;
};

/** Resolves every citation: pages with their headings, and decisions by number. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWith, isRun, REPOSITORY, textFiles } from './text-files.js';

const SOURCE = /\.(ts|js|mjs|ya?ml|sh)$/;
/** A page of this repository, with an optional heading; pages of other repositories come with an address in front. */
const PAGE = /(?<![\w/.-])((?:docs\/[\w/.-]+|[A-Z]{4,})\.md)(?:#([\w-]+))?/g;
/** Files that quote citations. */
const QUOTED = new Set(['CHANGELOG.md', 'tools/check/citations.js', 'tests/contract/checks.test.ts']);
const DECISION = /\bADR[ -](\d{4})\b/g;

/**
 * The anchors of a page; a repeated heading gets a number.
 * @param {string} markdown
 * @returns {Set<string>}
 */
export function anchorsOf(markdown) {
  const anchors = new Set();
  for (const [, heading = ''] of markdown.replace(/^```.*?^```/gms, '').matchAll(/^#{1,6} (.+?)\s*$/gm)) {
    // As GitHub derives it.
    const letters = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
    const slug = letters.replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  for (const [, anchor = ''] of markdown.matchAll(/<a (?:id|name)="([\w-]+)"/g)) anchors.add(anchor);
  return anchors;
}

/**
 * The citations of a source that lead nowhere. `anchors` answers those of a page, undefined when there is no such page.
 * @param {string} path
 * @param {string} text
 * @param {(page: string) => Set<string> | undefined} anchors
 * @param {(number: string) => boolean} isDecision
 * @returns {import('./text-files.js').Finding[]}
 */
export function brokenIn(path, text, anchors, isDecision) {
  if (!SOURCE.test(path) || QUOTED.has(path)) return [];
  return text.split('\n').flatMap((line, index) => {
    const messages = [];
    for (const [citation, page = '', anchor] of line.matchAll(PAGE)) {
      const known = anchors(page);
      if (known === undefined) messages.push(`${citation}: there is no such page`);
      else if (anchor !== undefined && !known.has(anchor)) messages.push(`${citation}: the page has no such heading`);
    }
    for (const [citation, number = ''] of line.matchAll(DECISION))
      if (!isDecision(number)) messages.push(`${citation}: there is no such decision in docs/adr`);
    return messages.map((message) => ({ path, line: index + 1, message }));
  });
}

function brokenCitations() {
  /** @param {string} page */
  const anchors = (page) => {
    const file = join(REPOSITORY, page);
    return existsSync(file) ? anchorsOf(readFileSync(file, 'utf8')) : undefined;
  };
  const decisions = new Set(readdirSync(join(REPOSITORY, 'docs', 'adr')).map((name) => name.slice(0, 4)));
  return textFiles().flatMap(({ path, text }) => brokenIn(path, text, anchors, (number) => decisions.has(number)));
}

if (isRun(import.meta.url)) endWith(brokenCitations());

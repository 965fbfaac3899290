/** Refuses words that were given up (words.json), in texts, file names and identifiers. */
import { readFileSync } from 'node:fs';
import { endWith, isRun, textFiles } from './text-files.js';

const GIVEN_UP = JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8'));
const WORDS = new RegExp(`(?<!\\p{L})(${Object.keys(GIVEN_UP).join('|')})(?!\\p{L})`, 'gu');

/** Files that quote these words or hold them as data. */
const ALLOWED = new Set([
  'CHANGELOG.md',
  'services/catalog/src/domain/audience/phrases.json',
  'services/planning/src/domain/campaign/categories.json',
  'services/planning/src/domain/campaign/screening-labels.json',
  'tools/check/words.js',
  'tools/check/words.json',
  'tests/contract/checks.test.ts',
]);
/** A field that the specification itself names, where it is written as a field. */
const FIELDS = /(?<=[.`])door\b|\bdoor(?=[:`])/g;

/** @param {string} line */
const wordsOf = (line) =>
  line
    .replace(FIELDS, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[-_]/gu, ' ')
    .toLowerCase();

/**
 * @param {string} path
 * @param {string} text
 * @returns {import('./text-files.js').Finding[]}
 */
export function wordsIn(path, text) {
  if (ALLOWED.has(path)) return [];
  return [path, ...text.split('\n')].flatMap((line, number) =>
    [...wordsOf(line).matchAll(WORDS)].map(([word]) => ({
      path,
      line: Math.max(1, number),
      message: `"${word}"${number === 0 ? ' in the name of the file' : ''}: write "${GIVEN_UP[word]}"`,
    })),
  );
}

if (isRun(import.meta.url)) endWith(textFiles().flatMap(({ path, text }) => wordsIn(path, text)));

#!/usr/bin/env node
/**
 * Refuses words that this project has given up for the field's own, anywhere: in a comment, a text, a document, a file
 * name or inside an identifier. docs/glossary.md has the words in use.
 */
import { pathToFileURL } from 'node:url';
import { endWith, textFiles } from './text-files.js';

/**
 * Each given-up word with what to write instead; two words are also found written as one identifier.
 * @type {Record<string, string>}
 */
const GIVEN_UP = {
  door: 'endpoint (or transport, for REST and MCP as such)',
  doors: 'endpoints (or transports, for REST and MCP as such)',
  told: 'reported, answered, notified or returned',
  anew: 'again',
  completer: 'recovery worker',
  rehoster: 'avatar fetcher',
  gatherer: 'batcher',
  kit: 'dependencies',
  tidy: 'clean up (cleanup)',
  tidies: 'cleans up',
  tidied: 'cleaned up',
  twin: 'deprecated alias, or reference implementation',
  twins: 'deprecated aliases, or reference implementations',
  luck: 'random key, or seeded random',
  edition: 'snapshot version',
  'launch teller': 'launch propagation',
  'last fence': 'handle leak filter',
  'guess watch': 'enumeration detector',
  'operator desk': 'operator creator service',
  'patience ms': 'timeout',
};

/** Files that quote these words or hold them as data. */
const ALLOWED = new Set([
  'CHANGELOG.md',
  'services/catalog/src/domain/audience/phrases.json',
  'services/planning/src/domain/campaign/categories.json',
  'services/planning/src/domain/campaign/screening-labels.json',
  'tools/check/citations.js',
  'tools/check/words.js',
  'tests/contract/checks.test.ts',
]);

/** A run of letters, cut where an identifier begins its next word: `aLaunchTeller` is a, Launch, Teller. */
const WORD = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;
/** A field that the specification itself names, where it is written as a field. */
const FIELDS = /(?<=[.`])door\b|\bdoor(?=[:`])/g;
/** What may separate the two words of one name. */
const JOINED = /^[-_ ]?$/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {import('./text-files.js').Finding[]}
 */
export function wordsIn(path, text) {
  if (ALLOWED.has(path)) return [];
  const lines = [path, ...text.split('\n')];
  return lines.flatMap((line, number) =>
    givenUpIn(line).map(([word, instead]) => ({
      path,
      line: Math.max(1, number),
      message: `"${word}"${number === 0 ? ' in the name of the file' : ''}: write "${instead}"`,
    })),
  );
}

/**
 * @param {string} line
 * @returns {[word: string, instead: string][]}
 */
function givenUpIn(line) {
  /** @type {[word: string, instead: string][]} */
  const found = [];
  const text = line.replace(FIELDS, '');
  let before = '';
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const pair = JOINED.test(text.slice(end, index)) ? `${before} ${word}`.toLowerCase() : '';
    const key = [pair, word.toLowerCase()].find((one) => Object.hasOwn(GIVEN_UP, one));
    if (key === pair && key) found.push([text.slice(end - before.length, index + word.length), GIVEN_UP[key]]);
    else if (key) found.push([word, GIVEN_UP[key]]);
    before = word;
    end = index + word.length;
  }
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  endWith(textFiles().flatMap(({ path, text }) => wordsIn(path, text)));

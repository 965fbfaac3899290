#!/usr/bin/env node
/**
 * Refuses a comment or a document's prose past 120 columns; the formatter wraps code alone. What cannot be wrapped may
 * be longer: a tool's directive, a heading, a row of a table, a code block, a link on a line of its own.
 */
import { pathToFileURL } from 'node:url';
import { endWith, textFiles } from './text-files.js';

const COLUMNS = 120;
const CODE = /\.(ts|js|ya?ml|sh|css)$/;
const COMMENT = /^\s*(\*|\/\/|\/\*|#)/;
const DIRECTIVE = /biome-ignore|@ts-/;
const DOCUMENT = /\.md$/;
const FENCE = /^\s*(```|~~~)/;
const HEADING_OR_ROW = /^\s*(#|\|)/;
const LINK_ALONE = /^\s*([-*]\s+|\d+\.\s+)?(\[[^\]]*\](\([^)]*\)|:\s*\S+)|<?https?:\S+)[.,;]?$/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {import('./text-files.js').Finding[]}
 */
export function columnsIn(path, text) {
  const lines = text.split('\n');
  if (CODE.test(path)) return tooLong(path, lines, 'a comment', (line) => COMMENT.test(line) && !DIRECTIVE.test(line));
  return DOCUMENT.test(path) ? tooLong(path, lines, 'a line', wrapsIn(lines)) : [];
}

/**
 * Whether a line of a document can be wrapped.
 * @param {readonly string[]} lines
 * @returns {(line: string, number: number) => boolean}
 */
function wrapsIn(lines) {
  let fenced = false;
  const prose = lines.map((line) => {
    if (FENCE.test(line)) fenced = !fenced;
    return !fenced && !HEADING_OR_ROW.test(line) && !LINK_ALONE.test(line);
  });
  return (_line, number) => prose[number] === true;
}

/**
 * @param {string} path
 * @param {readonly string[]} lines
 * @param {string} what
 * @param {(line: string, number: number) => boolean} wraps
 * @returns {import('./text-files.js').Finding[]}
 */
function tooLong(path, lines, what, wraps) {
  return lines.flatMap((line, number) => {
    const columns = [...line].length;
    if (columns <= COLUMNS || !wraps(line, number)) return [];
    return [{ path, line: number + 1, message: `${what} of ${columns} columns: wrap it at ${COLUMNS}` }];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  endWith(textFiles().flatMap(({ path, text }) => columnsIn(path, text)));

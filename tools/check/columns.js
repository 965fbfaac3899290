/**
 * Refuses a comment or a document's prose past 120 columns; the formatter wraps code alone. What cannot be wrapped may
 * be longer: a tool's directive, a heading, a row of a table, a code block, a link on a line of its own.
 */
import { endWith, isRun, textFiles } from './text-files.js';

const COLUMNS = 120;
const CODE = /\.(ts|js|ya?ml|sh|css)$/;
const COMMENT = /^\s*(\*|\/\/|\/\*|#)/;
const DIRECTIVE = /biome-ignore|@ts-/;
const FENCE = /^\s*(```|~~~)/;
const HEADING_OR_ROW = /^\s*(#|\|)/;
const LINK_ALONE = /^\s*([-*]\s+|\d+\.\s+)?(\[[^\]]*\](\([^)]*\)|:\s*\S+)|<?https?:\S+)[.,;]?$/;

/**
 * @param {string} path
 * @param {string} text
 * @returns {import('./text-files.js').Finding[]}
 */
export function columnsIn(path, text) {
  const isCode = CODE.test(path);
  if (!isCode && !path.endsWith('.md')) return [];
  let fenced = false;
  return text.split('\n').flatMap((line, number) => {
    if (!isCode && FENCE.test(line)) fenced = !fenced;
    const columns = [...line].length;
    const wraps = isCode
      ? COMMENT.test(line) && !DIRECTIVE.test(line)
      : !fenced && !HEADING_OR_ROW.test(line) && !LINK_ALONE.test(line);
    if (columns <= COLUMNS || !wraps) return [];
    const message = `a ${isCode ? 'comment' : 'line'} of ${columns} columns: wrap it at ${COLUMNS}`;
    return [{ path, line: number + 1, message }];
  });
}

if (isRun(import.meta.url)) endWith(textFiles().flatMap(({ path, text }) => columnsIn(path, text)));

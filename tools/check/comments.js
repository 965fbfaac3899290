/**
 * The comments of a TypeScript or JavaScript source, without those look-alikes in strings, templates and regular
 * expressions.
 */

/** @typedef {{ line: number, text: string }} Comment */

/** A slash after one of these begins a regular expression. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};<>+\-*%~^]|\b(?:return|case|typeof|in|of|void|delete))\s*$/;
const QUOTES = new Set(["'", '"', '`']);

/**
 * @param {string} source
 * @returns {Comment[]}
 */
export function commentsOf(source) {
  /** @type {Comment[]} */
  const comments = [];
  let at = source.startsWith('#!') ? endOfLine(source, 0) : 0;
  while (at < source.length) {
    const two = source.slice(at, at + 2);
    const one = source[at] ?? '';
    if (two === '//' || two === '/*') {
      const end = two === '//' ? endOfLine(source, at) : endOf(source, '*/', at + 2);
      comments.push({ line: lineOf(source, at), text: source.slice(at, end) });
      at = end;
    } else if (QUOTES.has(one)) at = endOfString(source, at, one);
    else if (one === '/' && BEFORE_REGEX.test(source.slice(Math.max(0, at - 40), at))) at = endOfRegex(source, at);
    else at += 1;
  }
  return comments;
}

/**
 * @param {string} source
 * @param {number} at
 */
function lineOf(source, at) {
  return source.slice(0, at).split('\n').length;
}

/**
 * @param {string} source
 * @param {string} mark
 * @param {number} from
 */
function endOf(source, mark, from) {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

/**
 * @param {string} source
 * @param {number} from
 */
function endOfLine(source, from) {
  const found = source.indexOf('\n', from);
  return found < 0 ? source.length : found;
}

/**
 * Code inside `${}` counts as text of the template: our comments never occur there.
 * @param {string} source
 * @param {number} from
 * @param {string} quote
 */
function endOfString(source, from, quote) {
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === quote) return at + 1;
    else if (source[at] === '\n' && quote !== '`') return at;
    else if (quote === '`' && source.startsWith('${', at)) at = endOfHole(source, at + 2) - 1;
  }
  return source.length;
}

/**
 * @param {string} source
 * @param {number} from
 */
function endOfHole(source, from) {
  let depth = 1;
  for (let at = from; at < source.length; at += 1) {
    const one = source[at] ?? '';
    if (QUOTES.has(one)) at = endOfString(source, at, one) - 1;
    else if (one === '{') depth += 1;
    else if (one === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
}

/**
 * @param {string} source
 * @param {number} from
 */
function endOfRegex(source, from) {
  let inClass = false;
  for (let at = from + 1; at < source.length; at += 1) {
    const one = source[at];
    if (one === '\\') at += 1;
    else if (one === '\n') return at;
    else if (one === '[') inClass = true;
    else if (one === ']') inClass = false;
    else if (one === '/' && !inClass) return at + 1;
  }
  return source.length;
}

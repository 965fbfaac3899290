/** @typedef {{ file: string, from: string, to: string }} Patch An edit of one source file of the project. */

/**
 * The text of a file with its patch. Throws unless `from` is in it exactly once and the patch changes it: a patch that
 * changes nothing would prove nothing.
 * @param {string} text
 * @param {Patch} patch
 */
export function patched(text, { file, from, to }) {
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`a patch of ${file} fits ${found} times, not once: ${from}`);
  if (from === to) throw new Error(`a patch of ${file} changes nothing: ${from}`);
  return text.replace(from, () => to);
}

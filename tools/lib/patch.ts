/** An edit of one source file of the project. */
export type Patch = { file: string; from: string; to: string };

/**
 * The text of a file with its patch. Throws unless `from` is in it exactly once and the patch changes it: a patch that
 * changes nothing would prove nothing.
 */
export function patched(text: string, { file, from, to }: Patch) {
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`a patch of ${file} fits ${found} times, not once: ${from}`);
  if (from === to) throw new Error(`a patch of ${file} changes nothing: ${from}`);
  return text.replace(from, () => to);
}

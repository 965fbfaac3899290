import { globSync } from 'node:fs';

export function filesOf(patterns: readonly string[]) {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const exclude = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return globSync(wanted, { exclude }).sort();
}

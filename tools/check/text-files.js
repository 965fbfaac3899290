/** The tracked text files of the repository, as the checks read them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const TEXT = /\.(ts|js|mjs|json|md|ya?ml|txt|sh|html|eta|css)$|^\.ci\//;
/** Generated files: an error in them is an error in their source. */
const WRITTEN = /^package-lock\.json$|(^|\/)generated\//;

/**
 * @typedef {{ path: string, text: string }} TextFile
 * @typedef {{ path: string, line: number, message: string }} Finding
 */

export function textFiles() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed
    .split('\0')
    .filter((path) => TEXT.test(path) && !WRITTEN.test(path) && existsSync(join(REPOSITORY, path)))
    .map((path) => ({ path, text: readFileSync(join(REPOSITORY, path), 'utf8') }));
}

/**
 * Prints the findings of a check and ends the process, with 0 when there are none.
 * @param {readonly Finding[]} findings
 * @returns {never}
 */
export function endWith(findings) {
  for (const { path, line, message } of findings) console.log(`${path}:${line}: ${message}`);
  if (findings.length > 0) console.log(`\n${findings.length} found`);
  process.exit(findings.length === 0 ? 0 : 1);
}

/** Whether a check is run by itself, and not imported. @param {string} url */
export const isRun = (url) => fileURLToPath(url) === process.argv[1];

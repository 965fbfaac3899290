/** `npm test -- --changed`: the suites that a change can affect. */
import { execFileSync } from 'node:child_process';
import { REPOSITORY } from '../lib/home.js';
import { rooms } from './rooms.js';

/** What a started service or the launcher is made of: a change there can affect every suite that starts the system. */
const RUNNING = /^(?:services|libs)\/[^/]+\/(?:src|package\.json)|^tools\/lib\/|^package(?:-lock)?\.json$/;
const TEST_ONLY = /\.test\.ts$|\/src\/test\/|\/testing\//;
const SETTINGS = /^(?:package-lock\.json|jest\.config\.js|tsconfig[^/]*\.json)$/;
const CODE = /\.(?:ts|js)$/;

/**
 * Tracked and new files that differ from a revision, as paths in the repository.
 * @param {string} revision
 */
export function changedSince(revision) {
  return [
    ...git('diff', '--name-only', '--diff-filter=d', revision),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/**
 * Rooms with the suites that import a changed file, and every system suite when the running system changed: these reach
 * services over HTTP, so no import leads to them.
 * @param {readonly string[]} files
 * @returns {import('./rooms.js').Room[]}
 */
export function suitesAffectedBy(files) {
  if (files.some((file) => SETTINGS.test(file))) return rooms();
  const code = files.filter((file) => CODE.test(file));
  if (code.length === 0) return [];
  /** @type {import('./rooms.js').Room} */
  const related = { name: 'changed', kind: 'units', args: ['--findRelatedTests', ...code, '--passWithNoTests'] };
  const runs = code.some((file) => RUNNING.test(file) && !TEST_ONLY.test(file));
  return runs ? [related, ...rooms().filter(({ kind }) => kind === 'system')] : [related];
}

/** @param {...string} args */
function git(...args) {
  return execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).split('\n').filter(Boolean);
}

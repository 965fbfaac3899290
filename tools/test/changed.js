/** `npm test -- --changed`: the suites that a change can affect. */
import { execFileSync } from 'node:child_process';
import { REPOSITORY } from '../lib/home.js';
import { rooms } from './rooms.js';

/** What a started service or the launcher is made of: a change there can affect every suite that starts the system. */
const RUNNING = /^(?:services|libs)\/[^/]+\/(?:src|package\.json)|^tools\/lib\/|^package(?:-lock)?\.json$/;
const TEST_ONLY = /\.test\.ts$|\/src\/test\/|\/testing\//;
const SETTINGS = /^(?:package-lock\.json|jest\.config\.js|tsconfig[^/]*\.json)$/;
const CODE = /\.(?:ts|js)$/;

/** Tracked and new files that differ from a revision, as paths in the repository. */
export function changedSince(revision) {
  const git = (...args) => execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--diff-filter=d', revision),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/**
 * Rooms with the suites that import a changed file, and every system suite when the running system changed: these reach
 * services over HTTP, so no import leads to them.
 */
export function suitesAffectedBy(files) {
  if (files.some((file) => SETTINGS.test(file))) return rooms();
  const code = files.filter((file) => CODE.test(file));
  const system = code.some((file) => RUNNING.test(file) && !TEST_ONLY.test(file));
  if (code.length === 0) return [];
  const related = { name: 'changed', kind: 'units', args: ['--findRelatedTests', ...code, '--passWithNoTests'] };
  return system ? [related, ...rooms().filter(({ kind }) => kind === 'system')] : [related];
}

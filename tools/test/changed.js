/** `--changed`: the suites that a change can affect. */
import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { REPOSITORY } from '../lib/home.js';
import { rooms } from './rooms.js';

/**
 * What a started service, a client or the launcher is made of: a change there can affect every suite that starts the
 * system or opens its pages.
 */
const RUNNING =
  /^(?:services|libs|packages)\/[^/]+\/(?:src|views|package\.json)|^tools\/(?:lib\/|[^/]+\.js$)|^package.*\.json$/;
const TEST_ONLY = /\.test\.ts$|\/src\/test\/|\/testing\//;
const SETTINGS = /^(?:package-lock\.json|jest\.config\.js|tsconfig[^/]*\.json)$/;
/** Lists in services and libraries are data, in files of their own; so are the views of pages. */
const CODE = /\.(?:ts|js)$|^(?:services|libs)\/[^/]+\/(?:src\/.*\.json$|views\/)/;

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
 * Rooms with the suites of the day or night that import a changed file, and every system suite of it when the running
 * system changed: these reach services over HTTP, so no import leads to them.
 * @param {readonly string[]} files
 * @param {import('./rooms.js').When} when
 * @returns {import('./rooms.js').Room[]}
 */
export function suitesAffectedBy(files, when) {
  const all = rooms(when);
  if (files.some((file) => SETTINGS.test(file))) return all;
  const code = files.filter((file) => CODE.test(file));
  if (code.length === 0) return [];
  const runs = code.some((file) => RUNNING.test(file) && !TEST_ONLY.test(file));
  const systems = all.filter(({ kind, name }) => runs && (kind !== 'units' || name === 'tests/browser'));
  const related = relatedTo(code);
  return [
    ...systems,
    ...all
      .filter((room) => !systems.includes(room))
      .map(({ args: [flag = '', ...suites], ...room }) => {
        return { ...room, args: [flag, ...suites.filter((suite) => related.has(suite))] };
      })
      .filter(({ args }) => args.length > 1),
  ];
}

/**
 * The suites that import one of these files, as Jest follows imports.
 * @param {readonly string[]} files
 */
function relatedTo(files) {
  const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), '--listTests', '--findRelatedTests', ...files];
  const listed = execFileSync(process.execPath, jest, { cwd: REPOSITORY, encoding: 'utf8' });
  return new Set(listed.split('\n').map((path) => relative(REPOSITORY, path)));
}

/** @param {...string} args */
function git(...args) {
  return execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).split('\n').filter(Boolean);
}

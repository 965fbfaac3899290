/** Which suites run together in one Jest, which lane prefers them, and which of them a change can affect. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { REPOSITORY } from '../lib/home.ts';

export type Lane = { name: 'system' | 'faults' | 'units'; nice: number; zone: string };
/** The lane `alone` is the first one, once every other room has ended. */
export type Room = { name: string; lane: Lane['name'] | 'alone'; suites: string[] };
export type When = 'day' | 'night';

/**
 * Each lane has a mongod of its own. It takes its own rooms first, then what the others have left. There is one more
 * than the two cores that they are made for, because suites wait for a third of their time. Suites that hold deadlines
 * have the higher priority. The others run in a time zone behind UTC, because no rule may depend on the machine's.
 */
export const LANES: readonly Lane[] = [
  { name: 'system', nice: 0, zone: 'UTC' },
  { name: 'faults', nice: 0, zone: 'UTC' },
  { name: 'units', nice: 5, zone: 'America/Los_Angeles' },
];
const SUITES = ['{libs,services,packages}/*/src/**/*.test.ts', 'tests/**/*.test.ts'];
/** It expects every request to be answered while two of each service start and stop: two cores are too few for more. */
const ALONE = 'tests/system/rolling-restart.test.ts';
/** Suites that share a system have a room of their own, so that it lives no longer than they do. */
const SHARING = /^tests\/(?:system|model|faults|browser|load|contract)\//;
const SHARES = /\b(?:sharedStack\(|keptStack\('(\w+)'\))/;
/** How a suite says, in its first line, that it runs only at night, and why that is enough. */
const NIGHTLY = /^\/\/ @night: /;
/** The rooms of the other suites, those that take longest first, so that the lanes end at about the same time. */
const REST = '';
const FOLDERS = [
  ...[REST, 'tests/faults/', 'services/gateway/src/accounts/', 'tests/model/', 'services/billing/', 'tests/fuzz/'],
  ...['services/catalog/', 'libs/', 'services/planning/', 'tests/simulation/', 'tests/contract/', 'tests/system/'],
  ...['tests/browser/', 'services/proposals/', 'services/metrics/'],
];

/** Every suite of the day or of the night in its room. */
export function rooms(when: When): Room[] {
  const placed = globSync(SUITES, { cwd: REPOSITORY, exclude: ['**/node_modules/**', '**/dist/**'] })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(REPOSITORY, file), 'utf8') }))
    .filter(({ text }) => NIGHTLY.test(text) === (when === 'night'))
    .map(({ file, text }) => {
      const found = SHARING.test(file) ? SHARES.exec(text) : null;
      const folder = FOLDERS.filter((one) => file.startsWith(one)).sort((a, b) => b.length - a.length)[0] ?? REST;
      return { file, shares: found === null ? undefined : (found[1] ?? 'shared'), folder };
    });
  const systems = Map.groupBy(placed, ({ shares }) => shares);
  const folders = Map.groupBy(
    placed.filter(({ file, shares }) => file !== ALONE && shares === undefined),
    ({ folder }) => folder,
  );
  const laneOf = (folder: string) =>
    folder === 'tests/faults/' ? 'faults' : /^tests\/(system|model)/.test(folder) ? 'system' : 'units';
  const room = (name: string, lane: Room['lane'], suites: readonly { file: string }[] = []) => {
    return { name, lane, suites: suites.map(({ file }) => file) };
  };
  return [
    ...[...systems].flatMap(([name, all]) => (name === undefined ? [] : room(`sharing ${name}`, 'system', all))),
    ...FOLDERS.map((folder) => room(folder, laneOf(folder), folders.get(folder))),
    ...(placed.some(({ file }) => file === ALONE) ? [room(ALONE, 'alone', [{ file: ALONE }])] : []),
  ].filter(({ suites }) => suites.length > 0);
}

/** What a service, a client or a tool is made of: no import leads to it from the suites that reach it by HTTP. */
const RUNNING =
  /^(?:services|libs|packages)\/[^/]+\/(?:src|views|package\.json)|^tools\/(?:lib\/|[^/]+\.[jt]s$)|^package.*\.json$/;
const TEST_ONLY = /\.test\.ts$|\/src\/test\/|\/testing\//;
const SETTINGS = /^(?:package-lock\.json|jest\.config\.js|tsconfig[^/]*\.json)$/;
/** Lists in services and libraries are data, in files of their own; so are the views of pages. */
const CODE = /\.(?:ts|js)$|^(?:services|libs)\/[^/]+\/(?:src\/.*\.json$|views\/)/;

/** Tracked and new files that differ from a revision, as paths in the repository. */
export const changedSince = (revision: string) => [
  ...git('diff', '--name-only', '--diff-filter=d', revision),
  ...git('ls-files', '--others', '--exclude-standard'),
];

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Rooms with the suites that import a changed file, and every system suite when the running system changed. */
export function suitesAffectedBy(files: readonly string[], when: When): Room[] {
  const all = rooms(when);
  if (files.some((file) => SETTINGS.test(file))) return all;
  const code = files.filter((file) => CODE.test(file));
  if (code.length === 0) return [];
  const runs = code.some((file) => RUNNING.test(file) && !TEST_ONLY.test(file));
  const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), '--listTests', '--findRelatedTests', ...code];
  const listed = execFileSync(process.execPath, jest, { cwd: REPOSITORY, encoding: 'utf8' });
  const related = new Set(listed.split('\n').map((path) => relative(REPOSITORY, path)));
  return all
    .map((room) => {
      const isReached = runs && (room.lane !== 'units' || room.name === 'tests/browser/');
      return isReached ? room : { ...room, suites: room.suites.filter((suite) => related.has(suite)) };
    })
    .filter(({ suites }) => suites.length > 0);
}

/** Which suites run together in one Jest, which lane prefers them, and which of them a change can affect. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { REPOSITORY } from '../lib/home.ts';

export type Lane = { name: 'system' | 'faults' | 'units'; nice: number; zone: string };
/** The lane `alone` is the first one, once every other room has ended. */
export type Room = { name: string; lane: Lane['name'] | 'alone'; suites: string[] };

/**
 * A lane takes its own rooms first, then what the others have left. There are three for two cores, because suites wait
 * for a third of their time. Those without deadlines are nicer, and in another time zone, on which no rule may depend.
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
const FOLDERS = [
  ...['', 'tests/faults/', 'services/gateway/src/accounts/', 'tests/model/', 'services/billing/', 'tests/fuzz/'],
  ...['services/catalog/', 'libs/', 'services/planning/', 'tests/simulation/', 'tests/contract/', 'tests/system/'],
  ...['tests/browser/', 'services/proposals/', 'services/metrics/', ALONE],
];

/** Every suite of the day or of the night in its room. */
export function rooms(when: 'day' | 'night'): Room[] {
  const suites = globSync(SUITES, { cwd: REPOSITORY, exclude: ['**/node_modules/**', '**/dist/**'] })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(REPOSITORY, file), 'utf8') }))
    .filter(({ text }) => NIGHTLY.test(text) === (when === 'night'));
  return [...Map.groupBy(suites, roomOf)]
    .map(([name, all]): Room => ({ name, lane: laneOf(name), suites: all.map(({ file }) => file) }))
    .sort((one, other) => FOLDERS.indexOf(one.name) - FOLDERS.indexOf(other.name));
}

function roomOf({ file, text }: { file: string; text: string }) {
  const shares = SHARING.test(file) ? SHARES.exec(text) : null;
  return shares ? `sharing ${shares[1] ?? 'shared'}` : (FOLDERS.findLast((one) => file.startsWith(one)) ?? '');
}

function laneOf(room: string) {
  if (room === ALONE) return 'alone';
  if (room === 'tests/faults/') return 'faults';
  return /^(?:sharing |tests\/(?:system|model))/.test(room) ? 'system' : 'units';
}

/** What a running system is made of: no import leads to it from the suites that reach it by HTTP. */
const RUNNING = /^(?:(?:services|libs|packages|tools)\/|package\.json$)(?!.*(?:\.test\.ts|\.md)$|.*\/test(?:ing)?\/)/;
const SETTINGS = /^(?:package-lock\.json|jest\.config\.js|tsconfig[^/]*\.json)$/;

const linesOf = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { cwd: REPOSITORY, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Rooms with the suites that import a file that differs from a revision; all of the system's, when that changed. */
export function suitesAffectedSince(revision: string, when: 'day' | 'night'): Room[] {
  const changed = linesOf('git', ['diff', '--name-only', '--diff-filter=d', revision]);
  const files = [...changed, ...linesOf('git', ['ls-files', '--others', '--exclude-standard'])];
  if (files.length === 0) return [];
  const all = rooms(when);
  if (files.some((file) => SETTINGS.test(file))) return all;
  const runs = files.some((file) => RUNNING.test(file));
  const jest = ['node_modules/jest/bin/jest.js', '--listTests', '--findRelatedTests', ...files];
  const related = new Set(linesOf(process.execPath, jest).map((path) => relative(REPOSITORY, path)));
  return all
    .map((room) => {
      const isReached = runs && (room.lane !== 'units' || room.name === 'tests/browser/');
      return isReached ? room : { ...room, suites: room.suites.filter((suite) => related.has(suite)) };
    })
    .filter(({ suites }) => suites.length > 0);
}

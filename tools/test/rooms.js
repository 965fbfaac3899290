/** Which suites run together in one Jest, and which lane prefers them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../lib/home.js';

/**
 * @typedef {'system' | 'faults' | 'units' | 'alone'} Kind `alone` runs once every other room has ended
 * @typedef {{ name: string, kind: Kind, args: string[], terminal?: boolean }} Room
 * @typedef {{ name: string, kind: Kind, nice: number, zone: string }} Lane
 * @typedef {'day' | 'night'} When
 */

const SUITE = /^(?:(?:libs|services|packages)\/[^/]+\/src|tests)\/.*\.test\.ts$/;

/** Folders of suites that start the whole system and hold deadlines; those of the second mostly wait. */
const SYSTEM = ['tests/system', 'tests/model'];
const FAULTS = ['tests/faults'];
/**
 * Suites that expect every request to be answered while two of each service start and stop: beside others, two cores
 * are too few for that.
 */
const ALONE = ['tests/system/rolling-restart.test.ts'];
/**
 * Folders in which suites share systems. Those of one system have a room of their own, so that it lives no longer than
 * they do.
 */
const SHARING = [...SYSTEM, ...FAULTS, 'tests/browser', 'tests/load'];
/** How a suite asks for a system that others use as well. */
const ASKS = /\b(?:(sharedStack)\(|keptStack\('(\w+)'\))/;
/** How a suite says, in its first line, that it runs only at night, and why that is enough. */
const NIGHTLY = /^\/\/ @night: /;

/** The room of the suites that no other room names. */
const REST = 'everything else';
/**
 * Folders of the other suites, those that take longest first, so that the lanes end at about the same time. What
 * fuzzes, and what records examples of a network that nobody changes, share their systems with nobody else.
 */
const UNITS = [
  'tests/browser',
  'tests/simulation',
  'tests/fuzz',
  'libs',
  'services/catalog',
  'services/gateway/src/accounts',
  REST,
  'tests/contract',
  'services/planning',
  'services/billing',
  'services/gateway/src/events',
  'services/gateway/src/edge',
  'services/gateway/src/pages',
  'services/proposals',
  'services/metrics',
];

/**
 * Each lane is a process with a mongod of its own. It takes the rooms of its kind first, then what the others have
 * left. There is one more than the two cores that they are made for, because suites wait for a third of their time. The
 * lanes of suites that hold deadlines have the higher priority. The others run in a time zone behind UTC, because no
 * rule may depend on the machine's.
 * @type {readonly Lane[]}
 */
export const LANES = [
  { name: 'system', kind: 'system', nice: 0, zone: 'UTC' },
  { name: 'faults', kind: 'faults', nice: 0, zone: 'UTC' },
  { name: 'units', kind: 'units', nice: 5, zone: 'America/Los_Angeles' },
];

/**
 * Every suite of the day or of the night: a room per system that suites share, one per named folder, one for the rest,
 * and those that run alone.
 * @param {When} when
 * @returns {Room[]}
 */
export function rooms(when) {
  const suites = suitesOf(when);
  const alone = suites.filter(({ file }) => ALONE.includes(file));
  const sharing = Map.groupBy(
    suites.filter(({ system }) => system !== ''),
    ({ system }) => system,
  );
  const others = Map.groupBy(
    suites.filter((suite) => suite.system === '' && !alone.includes(suite)),
    ({ file }) => folderOf(file),
  );
  return [
    ...[...sharing].map(([system, own]) => room(`sharing ${system}`, own)),
    ...[...SYSTEM, ...FAULTS, ...UNITS].flatMap((folder) => room(folder, others.get(folder) ?? [])),
    ...alone.map(({ file }) => roomOf(file)),
  ].filter(({ args }) => args.length > 1);
}

/**
 * The room of one suite that runs when no other does.
 * @param {string} file
 * @returns {Room}
 */
export const roomOf = (file) => ({ name: file, kind: 'alone', args: ['--runTestsByPath', file] });

/**
 * The files of the suites of the day or of the night, each with the name of the system that it shares, or ''.
 * @param {When} when
 */
export function suitesOf(when) {
  return ['libs', 'packages', 'services', 'tests']
    .flatMap((folder) => readdirSync(join(REPOSITORY, folder), { recursive: true }).map((path) => `${folder}/${path}`))
    .filter((path) => SUITE.test(path))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(REPOSITORY, file), 'utf8') }))
    .filter(({ text }) => NIGHTLY.test(text) === (when === 'night'))
    .map(({ file, text }) => {
      const [, shared, kept] = (isIn(SHARING, file) && ASKS.exec(text)) || [];
      return { file, system: shared ?? kept ?? '' };
    });
}

/** @param {string} file */
const folderOf = (file) => [...SYSTEM, ...FAULTS, ...UNITS].find((folder) => isIn([folder], file)) ?? REST;

/**
 * @param {readonly string[]} folders
 * @param {string} file
 */
const isIn = (folders, file) => folders.some((folder) => file.startsWith(`${folder}/`));

/**
 * @param {string} name
 * @param {readonly { file: string }[]} suites
 * @returns {Room}
 */
function room(name, suites) {
  const first = suites[0]?.file ?? '';
  const kind = isIn(FAULTS, first) ? 'faults' : isIn(SYSTEM, first) || name.startsWith('sharing ') ? 'system' : 'units';
  return { name, kind, args: ['--runTestsByPath', ...suites.map(({ file }) => file)] };
}

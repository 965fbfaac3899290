/** Which suites run together in one Jest, and which lane prefers them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../lib/home.js';

/**
 * @typedef {'system' | 'faults' | 'units' | 'alone'} Kind `alone` runs once every other room has ended
 * @typedef {{ name: string, kind: Kind, args: string[], terminal?: boolean }} Room
 * @typedef {{ name: string, kind: Kind, nice: number, zone: string }} Lane
 */

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
  'services/gateway/src/operations',
  REST,
  'tests/contract',
  'services/planning',
  'services/billing',
  'services/gateway/src/people',
  'services/gateway/src/edge',
  'services/gateway/src/pages',
  'services/gateway/src/mcp',
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
 * Every suite: a room per system that suites share, one per named folder, one for the rest, and those that run alone.
 * @returns {Room[]}
 */
export function rooms() {
  const sharing = Map.groupBy(SHARING.flatMap(suitesIn), systemOf);
  sharing.delete('');
  const named = [...SYSTEM, ...FAULTS, ...UNITS].filter((folder) => folder !== REST);
  const apart = [...[...sharing.values()].flat(), ...ALONE];
  const rest = ['--testPathIgnorePatterns', '/node_modules/', ...[...named, ...apart].map(patternOf)];
  return [
    ...[...sharing].map(([system, files]) => sharingRoom(system, files)),
    ...SYSTEM.map((folder) => room(folder, 'system', apart)),
    ...FAULTS.map((folder) => room(folder, 'faults', apart)),
    ...UNITS.map((folder) =>
      folder === REST ? { name: REST, kind: /** @type {const} */ ('units'), args: rest } : room(folder, 'units', apart),
    ),
    ...ALONE.map((file) => room(file, 'alone')),
  ];
}

/**
 * The room of one suite that runs again, after all others.
 * @param {string} file
 * @returns {Room}
 */
export const roomOf = (file) => room(file, 'alone');

/** @param {string} folder */
const suitesIn = (folder) =>
  readdirSync(join(REPOSITORY, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);

/**
 * The name of the system that a suite shares, or ''.
 * @param {string} file
 */
function systemOf(file) {
  const [, shared, kept] = ASKS.exec(readFileSync(join(REPOSITORY, file), 'utf8')) ?? [];
  return shared ?? kept ?? '';
}

/**
 * @param {string} system
 * @param {readonly string[]} files
 * @returns {Room}
 */
function sharingRoom(system, files) {
  const kind = FAULTS.some((folder) => files[0]?.startsWith(`${folder}/`)) ? 'faults' : 'system';
  return { name: `sharing ${system}`, kind, args: ['--testPathPatterns', ...files.map(patternOf)] };
}

/**
 * @param {string} folder
 * @param {Kind} kind
 * @param {readonly string[]} without
 * @returns {Room}
 */
function room(folder, kind, without = []) {
  const own = without.filter((file) => file.startsWith(`${folder}/`));
  const ignored = own.length > 0 ? ['--testPathIgnorePatterns', '/node_modules/', ...own.map(patternOf)] : [];
  return { name: folder, kind, args: ['--testPathPatterns', patternOf(folder), ...ignored] };
}

/**
 * A pattern of Jest for a file of the repository or everything in a folder.
 * @param {string} path
 */
function patternOf(path) {
  return `^${join(REPOSITORY, path).replaceAll(/[^\w/]/g, '\\$&')}(/|$)`;
}

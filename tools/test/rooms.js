/** Which suites run together in one Jest, and which lane prefers them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../lib/home.js';

/**
 * @typedef {'system' | 'faults' | 'units'} Kind
 * @typedef {{ name: string, kind: Kind, args: string[], terminal?: boolean }} Room
 * @typedef {{ name: string, kind: Kind, nice: number, zone: string }} Lane
 */

/** Folders of suites that start the whole system and hold deadlines; those of the second mostly wait. */
const SYSTEM = ['tests/system', 'tests/model'];
const FAULTS = ['tests/faults'];
/** Of this one, the suites that share a system have a room of their own, so that it lives no longer than they do. */
const SHARING = 'tests/system';

/** The largest folders of the other suites, largest first, so that the lanes end at about the same time. */
const LARGE = [
  'tests/browser',
  'services/catalog',
  'services/gateway/src/operations',
  'services/planning',
  'services/gateway/src/people',
  'services/gateway/src/edge',
  'services/gateway/src/pages',
  'services/billing',
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
 * Every suite: a room per named folder, one for those that share a system, and one for the rest.
 * @returns {Room[]}
 */
export function rooms() {
  const sharing = readdirSync(join(REPOSITORY, SHARING))
    .filter((name) => /\bsharedStack\(/.test(readFileSync(join(REPOSITORY, SHARING, name), 'utf8')))
    .map((name) => `${SHARING}/${name}`);
  return [
    { name: `${SHARING}, sharing`, kind: 'system', args: ['--testPathPatterns', ...sharing.map(patternOf)] },
    ...SYSTEM.map((folder) => room(folder, 'system', folder === SHARING ? sharing : [])),
    ...FAULTS.map((folder) => room(folder, 'faults')),
    ...LARGE.map((folder) => room(folder, 'units')),
    {
      name: 'everything else',
      kind: 'units',
      args: ['--testPathIgnorePatterns', '/node_modules/', ...[...SYSTEM, ...FAULTS, ...LARGE].map(patternOf)],
    },
  ];
}

/**
 * @param {string} folder
 * @param {Kind} kind
 * @param {readonly string[]} without
 * @returns {Room}
 */
function room(folder, kind, without = []) {
  const ignored = without.length > 0 ? ['--testPathIgnorePatterns', '/node_modules/', ...without.map(patternOf)] : [];
  return { name: folder, kind, args: ['--testPathPatterns', patternOf(folder), ...ignored] };
}

/**
 * A pattern of Jest for a file of the repository or everything in a folder.
 * @param {string} path
 */
function patternOf(path) {
  return `^${join(REPOSITORY, path).replaceAll(/[^\w/]/g, '\\$&')}(/|$)`;
}

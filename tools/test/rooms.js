/** Which suites run together in one Jest, and which lane prefers them. */
import { REPOSITORY } from '../lib/home.js';

/**
 * @typedef {'system' | 'units'} Kind
 * @typedef {{ name: string, kind: Kind, args: string[], terminal?: boolean }} Room
 * @typedef {{ name: string, kind: Kind, nice: number }} Lane
 */

/** Folders of suites that start the whole system and hold deadlines. */
const SYSTEM = ['tests/system', 'tests/faults', 'tests/model'];

/** The largest folders of the other suites, largest first, so that the lanes end at about the same time. */
const LARGE = ['services/catalog', 'services/planning', 'services/gateway', 'services/billing'];

/**
 * Each lane is a process with a mongod of its own. It takes the rooms of its kind first, then what the other lane has
 * left. The lane of the system suites has the higher priority, because these hold deadlines.
 * @type {readonly Lane[]}
 */
export const LANES = [
  { name: 'system', kind: 'system', nice: 0 },
  { name: 'units', kind: 'units', nice: 5 },
];

/**
 * Every suite: a room per named folder, and one for the rest.
 * @returns {Room[]}
 */
export function rooms() {
  return [
    ...SYSTEM.map((folder) => room(folder, 'system')),
    ...LARGE.map((folder) => room(folder, 'units')),
    {
      name: 'everything else',
      kind: 'units',
      args: ['--testPathIgnorePatterns', '/node_modules/', ...[...SYSTEM, ...LARGE].map(patternOf)],
    },
  ];
}

/**
 * @param {string} folder
 * @param {Kind} kind
 * @returns {Room}
 */
function room(folder, kind) {
  return { name: folder, kind, args: ['--testPathPatterns', patternOf(folder)] };
}

/**
 * A pattern of Jest for everything in a folder of the repository.
 * @param {string} folder
 */
function patternOf(folder) {
  return `^${REPOSITORY.replaceAll(/[^\w/]/g, '\\$&')}/${folder}/`;
}

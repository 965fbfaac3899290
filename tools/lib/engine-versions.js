/** The versions of the engines, as the services know them (libs/contracts/src/engines.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './home.js';

/** @type {typeof import('../../libs/contracts/src/engines.json')} */
export const ENGINE_VERSIONS = JSON.parse(
  readFileSync(join(REPOSITORY, 'libs', 'contracts', 'src', 'engines.json'), 'utf8'),
);

/**
 * The numbers of a version.
 * @param {string} version
 */
export const numbersOf = (version) => version.split('.').map(Number);

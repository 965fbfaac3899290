/** How many mutants of each folder survived, without those that change nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from '../lib/home.js';
import { BOUNDS, folderOf } from './areas.js';

/**
 * @typedef {'killed' | 'timeout' | 'survived' | 'broken'} End
 * @typedef {{ file: string, line: number, from: string, to: string, end: End }} Mutated a change of a file, both texts
 *   with single spaces, and how it ended
 * @typedef {{ file: string, from: string, to: string, why: string }} Equivalent a change that changes no behaviour
 * @typedef {{ folder: string, mutants: number, killed: number, timeout: number, equivalent: number,
 *   survivors: Mutated[], share: number, isTooMany: boolean }} Row
 */

/** @returns {Equivalent[]} */
export const equivalents = () =>
  parse(readFileSync(join(REPOSITORY, 'tests', 'mutation', 'equivalents.yaml'), 'utf8')).flatMap(
    (/** @type {{ file: string, equivalents: { why: string, mutants: Record<string, string>[] }[] }} */ one) =>
      one.equivalents.flatMap(({ why, mutants }) =>
        mutants.map((mutant) => ({ file: one.file, from: plain(mutant.from), to: plain(mutant.to), why })),
      ),
  );

/**
 * The text of a change with single spaces.
 * @param {string} text
 */
export const plain = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * @param {Pick<Mutated, 'file' | 'from' | 'to'>} one
 * @param {Pick<Mutated, 'file' | 'from' | 'to'>} other
 */
const isSame = (one, other) => one.file === other.file && one.from === other.from && one.to === other.to;

/**
 * A row for each folder, and the listed equivalents that are none, because a test notices them or nothing makes them.
 * @param {readonly Mutated[]} mutated
 * @param {readonly Equivalent[]} listed
 * @returns {{ rows: Row[], wrong: Equivalent[] }}
 */
export function tally(mutated, listed) {
  const files = new Set(mutated.map(({ file }) => file));
  // A busy machine may stop one that changes nothing.
  const isAlive = (/** @type {Mutated} */ { end }) => end === 'survived' || end === 'timeout';
  const wrong = listed.filter(
    (one) => files.has(one.file) && !mutated.some((mutant) => isAlive(mutant) && isSame(mutant, one)),
  );
  const folders = [...new Set(mutated.map(({ file }) => folderOf(file)))].sort();
  const rows = folders.map((folder) => {
    const ofFolder = mutated.filter((one) => folderOf(one.file) === folder && one.end !== 'broken');
    const count = (/** @type {End} */ end) => ofFolder.filter((one) => one.end === end).length;
    const alive = ofFolder.filter(({ end }) => end === 'survived');
    const survivors = alive.filter((one) => !listed.some((known) => isSame(one, known)));
    const equivalent = alive.length - survivors.length;
    const mutants = ofFolder.length - equivalent;
    const share = mutants === 0 ? 0 : survivors.length / mutants;
    return {
      folder,
      mutants,
      killed: count('killed'),
      timeout: count('timeout'),
      equivalent,
      survivors,
      share,
      isTooMany: share > (BOUNDS[folder] ?? 1),
    };
  });
  return { rows, wrong };
}

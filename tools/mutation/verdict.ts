/** How many mutants of each folder survived, without those that change nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from '../lib/home.ts';
import { BOUNDS, folderOf } from './areas.ts';

export type End = 'killed' | 'timeout' | 'survived' | 'broken';
export type Mutated = { file: string; line: number; from: string; to: string; end: End };
export type Equivalent = { file: string; from: string; to: string; why: string };
export type Row = {
  folder: string;
  mutants: number;
  killed: number;
  timeout: number;
  equivalent: number;
  survivors: Mutated[];
  share: number;
  isTooMany: boolean;
};

export const equivalents = (): Equivalent[] =>
  parse(readFileSync(join(REPOSITORY, 'tests', 'mutation', 'equivalents.yaml'), 'utf8')).flatMap(
    (one: { file: string; equivalents: { why: string; mutants: Record<string, string>[] }[] }) =>
      one.equivalents.flatMap(({ why, mutants }) =>
        mutants.map((mutant) => ({ file: one.file, from: plain(mutant.from), to: plain(mutant.to), why })),
      ),
  );

export const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

const isSame = (one: Pick<Mutated, 'file' | 'from' | 'to'>, other: Pick<Mutated, 'file' | 'from' | 'to'>) =>
  one.file === other.file && one.from === other.from && one.to === other.to;

/**
 * A row for each folder, and the listed equivalents that are none, because a test notices them or nothing makes them.
 */
export function tally(
  mutated: readonly Mutated[],
  listed: readonly Equivalent[],
): { rows: Row[]; wrong: Equivalent[] } {
  const files = new Set(mutated.map(({ file }) => file));
  // A busy machine may stop one that changes nothing.
  const isAlive = ({ end }: Mutated) => end === 'survived' || end === 'timeout';
  const wrong = listed.filter(
    (one) => files.has(one.file) && !mutated.some((mutant) => isAlive(mutant) && isSame(mutant, one)),
  );
  const folders = [...new Set(mutated.map(({ file }) => folderOf(file)))].sort();
  const rows = folders.map((folder) => {
    const ofFolder = mutated.filter((one) => folderOf(one.file) === folder && one.end !== 'broken');
    const count = (end: End) => ofFolder.filter((one) => one.end === end).length;
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

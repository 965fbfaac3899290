// @night: a refactoring may move an equivalent mutant: that is work, and no failure of the change.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BOUNDS, folderOf } from '../../tools/mutation/areas.js';
import { equivalents, plain, tally } from '../../tools/mutation/verdict.js';

const root = join(import.meta.dirname, '..', '..');

describe('the listed equivalents (docs/reliability.md#generated-bugs)', () => {
  it('each change code that is there, and say why nothing changes', () => {
    const gone = equivalents().filter(
      ({ file, from }) =>
        !existsSync(join(root, file)) || !plain(readFileSync(join(root, file), 'utf8')).includes(from),
    );
    expect(gone).toEqual([]);
    expect(equivalents().filter(({ from, to, why }) => from === to || why.trim() === '')).toEqual([]);
  });

  it('are of rules whose survivors are bounded', () => {
    expect(equivalents().filter(({ file }) => BOUNDS[folderOf(file)] === undefined)).toEqual([]);
    expect(Object.keys(BOUNDS).filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });
});

describe('what survives', () => {
  const file = 'services/metrics/src/domain/x.ts';
  const mutated = (to: string, end: 'killed' | 'timeout' | 'survived' | 'broken') => ({
    file,
    line: 1,
    from: 'a',
    to,
    end,
  });
  const listed = (to: string) => ({ file, from: 'a', to, why: 'the same' });

  it('is counted by folder, without equivalents and what does not run', () => {
    const all = [mutated('b', 'killed'), mutated('c', 'timeout'), mutated('d', 'survived'), mutated('e', 'survived')];
    const { rows, wrong } = tally([...all, mutated('f', 'broken')], [listed('e')]);
    expect(rows).toEqual([
      {
        folder: 'services/metrics/src/domain',
        mutants: 3,
        killed: 1,
        timeout: 1,
        equivalent: 1,
        survivors: [mutated('d', 'survived')],
        share: 1 / 3,
        isTooMany: true,
      },
    ]);
    expect(wrong).toEqual([]);
  });

  it('is no equivalent where a test notices it, or nothing makes it', () => {
    const { wrong } = tally([mutated('b', 'killed')], [listed('b'), listed('z'), { ...listed('b'), file: 'other.ts' }]);
    expect(wrong).toEqual([listed('b'), listed('z')]);
  });

  it.each([
    [5, false],
    [6, true],
  ])('may be 5 in 100, and no more: %i', (alive, isTooMany) => {
    const some = (count: number, end: 'killed' | 'survived') =>
      Array.from({ length: count }, (_none, at) => mutated(`${end} ${at}`, end));
    expect(tally([...some(alive, 'survived'), ...some(100 - alive, 'killed')], []).rows).toMatchObject([{ isTooMany }]);
  });

  it('is measured only in other folders', () => {
    const other = { ...mutated('b', 'survived'), file: 'services/gateway/src/domain/x.ts' };
    expect(tally([other], []).rows).toMatchObject([{ folder: 'services/gateway/src/domain', isTooMany: false }]);
  });
});

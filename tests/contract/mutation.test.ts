// @night: a refactoring may move an equivalent mutant: that is work, and no failure of the change.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BOUNDS, folderOf } from '../../tools/mutation/areas.js';
import { equivalents, plain } from '../../tools/mutation/verdict.js';

const root = join(import.meta.dirname, '..', '..');

describe('a listed equivalent (docs/reliability.md#generated-bugs)', () => {
  it('changes code that is there, and says why nothing changes', () => {
    const gone = equivalents().filter(
      ({ file, from }) =>
        !existsSync(join(root, file)) || !plain(readFileSync(join(root, file), 'utf8')).includes(from),
    );
    expect(gone).toEqual([]);
    expect(equivalents().filter(({ from, to, why }) => from === to || why.trim() === '')).toEqual([]);
  });

  it('is of a rule whose survivors are bounded', () => {
    expect(equivalents().filter(({ file }) => BOUNDS[folderOf(file)] === undefined)).toEqual([]);
    expect(Object.keys(BOUNDS).filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });
});

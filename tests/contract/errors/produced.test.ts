import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ERROR_CODE_NAMES, REASON_GUIDE } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { PRODUCED } from './produced.js';

const root = join(import.meta.dirname, '..', '..', '..');

/** Every code, and every reason as `code/reason`: each has a public page. */
const DOCUMENTED = ERROR_CODE_NAMES.flatMap((code) => [
  code,
  ...Object.keys(REASON_GUIDE[code] ?? {}).map((reason) => `${code}/${reason}`),
]);

describe('every documented error', () => {
  it('has a test that produces it, and no other is listed', () => {
    const byName = (one: string, other: string): number => one.localeCompare(other);
    expect(Object.keys(PRODUCED).sort(byName)).toEqual([...DOCUMENTED].sort(byName));
  });

  it.each(Object.entries(PRODUCED))('%s is expected by a suite that has that test', async (error, [suite, title]) => {
    const text = await readFile(join(root, suite), 'utf8');
    expect(text).toContain(`'${title}'`);
    expect(text).toMatch(new RegExp(`\\b${error.slice(error.indexOf('/') + 1)}\\b`));
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operationByName, publishedOperations } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';

const K6 = join(import.meta.dirname, '..', '..', 'loadtest', 'k6');

/** The operations that a script names in its calls. */
const namedIn = async (file: string): Promise<Set<string>> => {
  const source = await readFile(join(K6, file), 'utf8');
  return new Set([...source.matchAll(/\b(?:get|write|rest|tool|read)\(\s*'([a-z_]+)'/g)].map(([, name = '']) => name));
};

describe('the load scripts', () => {
  it('call every operation of a brand and of a sandbox in the smoke run', async () => {
    const called = await namedIn('every.ts');
    const missing = publishedOperations()
      .map(({ name }) => name)
      .filter((name) => !called.has(name));
    expect(missing).toEqual([]);
  });

  it('name no operation that does not exist', async () => {
    const called = new Set([...(await namedIn('every.ts')), ...(await namedIn('jobs.ts'))]);
    expect([...called].filter((name) => operationByName(name) === undefined)).toEqual([]);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

const ROOTS = ['libs', 'services', 'tests', 'tools', 'loadtest'];
const NOT_OURS = /(^|\/)(node_modules|dist|fixtures)(\/|$)/;

export type TestFile = { path: string; text: string };

export const testFiles = async (): Promise<TestFile[]> => {
  const found = await Promise.all(
    ROOTS.map((folder) => readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })),
  );
  const paths = found
    .flat()
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !NOT_OURS.test(path))
    .sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })));
};

const CALL = /\bproves\(([^)]*)\)/g;
const LITERAL = /(['"`])([^'"`]+)\1/g;

export const citedIn = (file: TestFile): string[] =>
  [...file.text.matchAll(CALL)].flatMap(([, ids = '']) => [...ids.matchAll(LITERAL)].map(([, , id = '']) => id));

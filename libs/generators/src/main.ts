import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated-files.js';

/** Writes the generated files, or with --check compares them and names the stale ones. */
const root = join(import.meta.dirname, '..', '..', '..');

const folders = Object.entries(generatedFiles());

const leftOver = async (folder: string, files: Readonly<Record<string, string>>): Promise<string[]> => {
  const held = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return held
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, folder).length + 1))
    .filter((name) => !Object.hasOwn(files, name));
};

const isStale = async (path: string, text: string): Promise<boolean> =>
  (await readFile(join(root, path), 'utf8').catch(() => null)) !== text;

const check = async (): Promise<void> => {
  const stale: string[] = [];
  for (const [folder, files] of folders) {
    for (const [name, text] of Object.entries(files))
      if (await isStale(join(folder, name), text)) stale.push(join(folder, name));
    for (const name of await leftOver(folder, files)) stale.push(join(folder, name));
  }
  for (const path of stale) process.stderr.write(`${path} is out of date; run npm run generate\n`);
  if (stale.length > 0) process.exitCode = 1;
};

const write = async (): Promise<void> => {
  for (const [folder, files] of folders) {
    for (const name of await leftOver(folder, files)) await rm(join(root, folder, name));
    for (const [name, text] of Object.entries(files)) {
      const path = join(root, folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }
};

await (process.argv.includes('--check') ? check() : write());

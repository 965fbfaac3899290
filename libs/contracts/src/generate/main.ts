import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documents } from './documents.js';

/** Writes the generated documents, or with --check compares them and names the stale ones. */
const folder = join(import.meta.dirname, '..', '..', 'generated');

const isStale = async (name: string, text: string): Promise<boolean> =>
  (await readFile(join(folder, name), 'utf8').catch(() => null)) !== text;

const check = async (): Promise<void> => {
  for (const [name, text] of Object.entries(documents())) {
    if (!(await isStale(name, text))) continue;
    process.stderr.write(`libs/contracts/generated/${name} is out of date; run npm run generate\n`);
    process.exitCode = 1;
  }
};

const write = async (): Promise<void> => {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(documents())) await writeFile(join(folder, name), text);
};

await (process.argv.includes('--check') ? check() : write());

/** TypeScript to JavaScript, kept on disk by the content of the source. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Options, transformSync, version } from '@swc/core';
import { REPOSITORY } from './home.ts';

export const CACHE = join(REPOSITORY, 'node_modules', '.cache', 'cds-test');

const OPTIONS: Options = {
  configFile: false,
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true },
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};
const OPTIONS_TEXT = JSON.stringify(OPTIONS) + version;

export function compiled(file: string, source: string) {
  const name = createHash('sha256').update(OPTIONS_TEXT).update(file).update(source).digest('hex');
  const kept = join(CACHE, `${name}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = transformSync(source, { ...OPTIONS, filename: file });
    mkdirSync(CACHE, { recursive: true });
    // Lanes compile the same file at once; each writes a file of its own first.
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
    return code;
  }
}

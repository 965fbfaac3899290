import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder that holds the documents: the repository's, or the image's with a copy of them (tools/image.ts). */
const HOME = join(import.meta.dirname, '../../../..');

/** A file of the repository, such as `docs/glossary.md`. Raises when it is missing, which a test of the image sees. */
export const readSource = (path: string): Promise<string> => readFile(join(HOME, path), 'utf8');

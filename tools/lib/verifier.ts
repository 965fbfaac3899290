import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure, printFailure } from './failure.ts';
import { REPOSITORY } from './home.ts';
import { build } from './install.ts';

export function textOf(file: string) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`Cannot read ${file}: ${error.message}.`);
  }
}

/** Runs a check of files offline, with a file of trusted keys; ends with its code, or 2 when it could not run. */
export async function verify(
  { keyOption, most, usage, compiled }: { keyOption: string; most: number; usage: string[]; compiled: string },
  check: (files: string[], keyFile: string | undefined) => Promise<number>,
) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { [keyOption]: { type: 'string' } } });
    if (positionals.length === 0 || positionals.length > most)
      throw new Failure(`${positionals.length} files are named.`, usage);
    if (!existsSync(join(REPOSITORY, compiled))) await build(() => {});
    process.exitCode = await check(positionals, values[keyOption] as string | undefined);
  } catch (error) {
    const isUsage = String(error.code).startsWith('ERR_PARSE_ARGS');
    printFailure(isUsage ? new Failure(error.message, usage) : error);
    process.exit(2);
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, printFailure } from './failure.js';
import { REPOSITORY } from './home.js';
import { build } from './install.js';

/**
 * A script that checks files offline: `npm run NAME -- FILE...`, with a file of trusted keys after KEY_OPTION.
 * It exits with what its check returns, or 2 when it could not run.
 */
export class Verifier {
  /**
   * @param {string} name as npm runs it
   * @param {{ keyOption: string, of: string, files: 'one' | 'many', usage: string[] }} options
   */
  constructor(name, { keyOption, of, files, usage }) {
    this.name = name;
    this.keyOption = keyOption;
    this.of = of;
    this.isOfOne = files === 'one';
    this.usage = usage;
  }

  /**
   * The text of a file.
   * @param {string} file
   */
  read(file) {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw this.failure(`Cannot read ${file}: ${error.message}.`);
    }
  }

  /** @param {string} message */
  failure(message) {
    return new Failure(message, this.usage);
  }

  /**
   * The files to check, and the file of trusted keys.
   * @param {string[]} words
   */
  optionsOf(words) {
    const files = [...words];
    const at = files.indexOf(this.keyOption);
    const keyFile = at < 0 ? undefined : files.splice(at, 2)[1];
    const unknown = files.find((word) => word.startsWith('--'));
    if (unknown) throw this.failure(`${this.name} has no option ${unknown}.`);
    if (files.length === 0) throw this.failure(`${this.name} needs a file with ${this.of}.`);
    if (this.isOfOne && files.length > 1)
      throw this.failure(`${this.name} takes one file, ${this.of}, but got ${files.length}.`);
    if (at >= 0 && keyFile === undefined) throw this.failure(`${this.keyOption} needs a file.`);
    return { files, keyFile };
  }

  /**
   * Compiles if `compiled` is not there, and runs the check on the words of the command.
   * @param {string[]} compiled the path of what the check imports
   * @param {(options: { files: string[], keyFile: string | undefined }) => Promise<number>} check returns the exit code
   */
  async run(compiled, check) {
    try {
      const options = this.optionsOf(process.argv.slice(2));
      if (!existsSync(join(REPOSITORY, ...compiled))) await build(() => {});
      process.exitCode = await check(options);
    } catch (error) {
      printFailure(error);
      process.exit(2);
    }
  }
}

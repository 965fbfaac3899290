import { parseArgs } from 'node:util';
import { Failure } from './failure.js';

/**
 * The arguments of a program. `--help` prints its usages and ends it; a Failure names an argument that is wrong and
 * shows them.
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {Config} config
 * @param {string[]} usages
 * @returns {ReturnType<typeof parseArgs<Config>>}
 */
export function argumentsOf(config, usages) {
  if ((config.args ?? process.argv.slice(2)).some((word) => word === '--help' || word === '-h')) {
    console.log(`usage:\n${usages.map((usage) => `  ${usage}`).join('\n')}`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Failure(`${message.split('. ')[0]}.`, usages);
  }
}

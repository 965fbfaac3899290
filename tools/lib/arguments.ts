import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Failure } from './failure.ts';

/** `--help` prints the usages and ends the program; a Failure names an argument that is wrong and shows them. */
export function argumentsOf<Config extends ParseArgsConfig>(
  config: Config,
  usages: string[],
): ReturnType<typeof parseArgs<Config>> {
  if ((config.args ?? process.argv.slice(2)).some((word) => word === '--help' || word === '-h')) {
    console.log(`usage:\n${usages.map((usage) => `  ${usage}`).join('\n')}`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Failure(
      `${message.split('. ')[0]}.`,
      usages.filter((usage) => usage.startsWith('npm')),
    );
  }
}

/** Those of a list that are named, or undefined when none is; a Failure names one that there is not. */
export function namedOf<T extends { name: string }>(all: readonly T[], names: readonly string[]): T[] | undefined {
  const unknown = names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new Failure(`There is no ${unknown.join(', ')}.`, [`Choose from: ${all.map(({ name }) => name).join(' ')}`]);
  return names.length === 0 ? undefined : all.filter(({ name }) => names.includes(name));
}

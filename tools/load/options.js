import { argumentsOf } from '../lib/arguments.js';
import { Failure } from '../lib/failure.js';

/**
 * The runs: how long each lasts, in seconds, how many requests a second it begins with, and how many brands it needs.
 * A brand is two workspaces, with six keys to read.
 */
const RUNS = {
  smoke: { seconds: 1, rate: 1, brands: 3 },
  'main-job': { seconds: 120, rate: 1, brands: 120 },
  browse: { seconds: 60, rate: 150, brands: 250 },
  soak: { seconds: 3_600, rate: 50, brands: 250 },
};

/**
 * @typedef {{ run: string, runtime?: string | undefined, seconds: number, rate: number, brands: number }} LoadOptions
 */

/**
 * @param {readonly string[]} args
 * @returns {LoadOptions}
 */
export function parseLoadOptions(args) {
  const { values, positionals } = read(args);
  const name = positionals[0] ?? 'smoke';
  const run = /** @type {Record<string, (typeof RUNS)['smoke'] | undefined>} */ (RUNS)[name];
  if (!run || positionals.length > 1)
    throw new Failure(
      `There is no run ${positionals.join(' ')}. Runs: ${Object.keys(RUNS).join(', ')}.`,
      Object.keys(RUNS).map((known) => `npm run load -- ${known}`),
    );
  return {
    run: name,
    runtime: values.runtime,
    seconds: numberOf('seconds', values.seconds, run.seconds),
    rate: numberOf('rate', values.rate, run.rate),
    brands: numberOf('brands', values.brands, run.brands),
  };
}

/** @param {readonly string[]} args */
const read = (args) =>
  argumentsOf(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        runtime: { type: 'string' },
        seconds: { type: 'string' },
        rate: { type: 'string' },
        brands: { type: 'string' },
      },
    },
    [
      `npm run load -- [${Object.keys(RUNS).join(' | ')}] [--seconds N] [--rate N] [--brands N] [--runtime FILE]`,
      'npm run load -- browse --seconds 60 --rate 150 --brands 250',
      'npm run load -- soak --runtime ~/.cds/runtime.json',
    ],
  );

/**
 * @param {string} name
 * @param {string | undefined} sent
 * @param {number} otherwise
 */
function numberOf(name, sent, otherwise) {
  const number = sent === undefined ? otherwise : Number(sent);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Failure(`--${name} is ${sent}; it must be a whole number above 0.`, [
    `npm run load -- browse --${name} ${otherwise}`,
  ]);
}

import { Failure } from './failure.js';

export const HELP = `
  npm start -- [options]
  npm run cluster -- [options]    three of each engine, two of each service, one address

    --creators N   creators of the generated network (2,000 at first, then as many as there are)
    --seed N       seed of the generated network (1 at first)
    --fresh        delete all data of this home and start over
    --card         accept cards for live orders, on a Stripe test server that moves no money
    --no-demo      do not run the demo after the first start
    --offline      download nothing
    --help         show this text

    CDS_HOME       data, logs and secrets (.cds; of a cluster .cds/cluster)
    CDS_PORT       port of the gateway (8080; 0 takes a free one)
    CDS_CACHE      where downloaded engines and Node are kept
    MONGODB_URI, NATS_URL                    use servers that are already running
    CDS_MONGOD_BIN, CDS_NATS_SERVER_BIN      use these programs

`;

/** @param {readonly string[]} args */
export function parseStartOptions(args) {
  /**
   * @type {{
   *   fresh: boolean,
   *   card: boolean,
   *   demo: boolean,
   *   offline: boolean,
   *   help: boolean,
   *   cluster: boolean,
   *   network: { creators?: number, seed?: number },
   * }}
   */
  const options = { fresh: false, card: false, demo: true, offline: false, help: false, cluster: false, network: {} };
  const rest = [...args];
  while (rest.length > 0) {
    const [name, inline] = (rest.shift() ?? '').split('=', 2);
    if (name === '--cluster') options.cluster = true;
    else if (name === '--fresh') options.fresh = true;
    else if (name === '--card') options.card = true;
    else if (name === '--no-demo') options.demo = false;
    else if (name === '--offline') options.offline = true;
    else if (name === '--help' || name === '-h') options.help = true;
    else if (name === '--creators') options.network.creators = count(name, inline ?? rest.shift(), 1, 1_000_000);
    else if (name === '--seed') options.network.seed = count(name, inline ?? rest.shift(), 0, 2 ** 31 - 1);
    else
      throw new Failure(`Unknown option: ${name}.`, [
        'npm start -- --help  (shows all of them)',
        'Put the two dashes before the options: npm start -- --fresh',
        'npm start  (needs no option at all)',
      ]);
  }
  return options;
}

/** @param {string | undefined} text */
export function parsePort(text) {
  if (text === undefined || text === '') return 8080;
  return count('CDS_PORT', text, 0, 65_535);
}

/**
 * @param {string} name
 * @param {string | undefined} text
 * @param {number} least
 * @param {number} most
 */
function count(name, text, least, most) {
  const value = Number(text);
  if (/^\d+$/.test(text ?? '') && value >= least && value <= most) return value;
  throw new Failure(
    `${name} takes a whole number from ${least} to ${most}; it was given ${text === undefined ? 'nothing' : `"${text}"`}.`,
    [
      `Give a number: ${name}=${Math.max(least, 1)}`,
      'npm start -- --help  (shows all options)',
      'Or omit it to use the default',
    ],
  );
}

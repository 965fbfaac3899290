/** Stripe's own mock server, which checks requests against Stripe's API; without Go its tests count as skipped. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, plainEnvironment, run } from '../lib/command.js';
import { cacheFolders } from '../lib/home.js';

const MODULE = 'github.com/stripe/stripe-mock';
const VERSION = '0.203.0';
const SUITES = 'services/billing/src/rails/stripe';
const LIMIT_MS = 240_000;

/**
 * Whether a run holds the suite that needs it.
 * @param {readonly string[]} args
 */
export const needsStripeMock = (args) =>
  args.length === 0 || args.some((arg) => arg.startsWith(SUITES) || `${SUITES}/`.startsWith(`${arg}/`));

/**
 * Builds the server once into the cache. Sets CDS_TEST_STRIPE_MOCK, which the suite reads, to its program.
 * @param {ReturnType<typeof import('../lib/progress.js').createProgress>} progress
 */
export async function ensureStripeMock(progress) {
  await progress.step('stripe-mock', async (say) => {
    const folder = join(cacheFolders()[0] ?? '', `stripe-mock-${VERSION}`);
    const program = join(folder, 'stripe-mock');
    if (!existsSync(program)) {
      const [go] = findOnPath('go');
      if (go === undefined) return 'no Go here: its tests are skipped';
      say('building, once');
      mkdirSync(folder, { recursive: true });
      const { code } = await run(go, ['install', `${MODULE}@v${VERSION}`], {
        env: plainEnvironment({ GOBIN: folder }),
        limitMs: LIMIT_MS,
      });
      if (code !== 0 || !existsSync(program)) return 'Go could not build it: its tests are skipped';
    }
    process.env.CDS_TEST_STRIPE_MOCK = program;
    return VERSION;
  });
}

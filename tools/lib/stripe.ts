/** Stand-ins for Stripe: one for `npm start -- --card`, and Stripe's own mock server for a suite. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from './engine-sources.ts';
import { cacheFolders } from './home.ts';
import type { Progress } from './progress.ts';

const MOCK = { module: 'github.com/stripe/stripe-mock', version: '0.203.0', program: 'stripe-mock' };

/** Builds Stripe's own mock server once, for CDS_TEST_STRIPE_MOCK; without Go its tests count as skipped. */
export const ensureStripeMock = (progress: Progress) =>
  progress.step('stripe-mock', async (say) => {
    const work = join(cacheFolders()[0], `stripe-mock-${MOCK.version}`);
    const program = join(work, 'stripe-mock');
    if (!existsSync(program)) {
      mkdirSync(work, { recursive: true });
      const { reason } = await installed(MOCK)({ work, say });
      if (reason) return `${reason}: its tests are skipped`;
    }
    process.env.CDS_TEST_STRIPE_MOCK = program;
    return MOCK.version;
  });

/** Starts a local Stripe that moves no money, and points billing to it by the environment of this process. */
export async function startStripeTestServer({ appUrl }: { appUrl: string }) {
  const { StripeFake } = await import('../../services/billing/dist/test/stripe-fake.js');
  const server = await StripeFake.start();
  server.deliverTo(`${appUrl}/api/rails/stripe/events`);
  Object.assign(process.env, {
    CDS_STRIPE_SECRET_KEY: 'rk_test_local',
    CDS_STRIPE_WEBHOOK_SECRETS: server.webhookSecret,
    CDS_STRIPE_API_URL: server.url,
  });
  return { stop: () => server.stop(), detail: `a test server, ${server.url}` };
}

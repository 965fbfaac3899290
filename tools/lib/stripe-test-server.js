/** A local Stripe for `npm start -- --card`: live orders can be paid by card, and no money moves. */

/**
 * Starts the test server and points billing to it, by the environment of this process. Its events go to the gateway.
 * @param {{ appUrl: string }} where
 */
export async function startStripeTestServer({ appUrl }) {
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

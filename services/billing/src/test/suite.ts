import { madeLater, suiteWide } from '@cds/service/testing/suite';
import { beforeEach } from '@jest/globals';
import type { BillingConfig } from '../config.js';
import { aBilling, type Billing } from './builders.js';
import { liveOrders } from './live-orders.js';
import { StripeFake } from './stripe-fake.js';

/** A billing for the tests of a suite; its planning behaves when a test begins. */
export const testBilling = (name: string): Billing => {
  const billing = suiteWide(
    () => aBilling(name),
    (made) => made.drop(),
  );
  beforeEach(() => billing.planning.behave());
  return billing;
};

/** The same with a Stripe that takes its cards, with what payers, the team and Stripe do with live orders. */
export const testLiveOrders = (name: string, settings: Partial<BillingConfig> = {}) => {
  const both = suiteWide(
    async () => {
      const stripe = await StripeFake.start();
      // Two secrets, as while one is replaced.
      const secrets = { CDS_STRIPE_WEBHOOK_SECRETS: ['whsec_older', stripe.webhookSecret] };
      return { stripe, billing: await aBilling(name, undefined, { ...stripe.settings, ...secrets, ...settings }) };
    },
    async ({ billing, stripe }) => {
      await billing.drop();
      await stripe.stop();
    },
  );
  const of = { billing: madeLater(() => both.billing), stripe: madeLater(() => both.stripe) };
  return {
    ...of,
    ...liveOrders(
      () => of.billing,
      () => of.stripe,
    ),
  };
};

import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { BillingConfig } from '../config.js';
import { aBilling, type Billing } from './builders.js';
import { liveOrders } from './live-orders.js';
import { StripeFake } from './stripe-fake.js';

/** A billing for the tests of a suite: from before the first until after the last. Planning behaves at each start. */
export const testBilling = (name: string): Billing => {
  let billing: Billing | undefined;
  beforeAll(async () => {
    billing = await aBilling(name);
  });
  beforeEach(() => billing?.planning.behave());
  afterAll(() => billing?.drop());
  return made(() => billing);
};

/** The same with a Stripe that takes its cards, with what payers, the team and Stripe do with live orders. */
export const testLiveOrders = (name: string, settings: Partial<BillingConfig> = {}) => {
  let [billing, stripe]: [Billing?, StripeFake?] = [];
  beforeAll(async () => {
    stripe = await StripeFake.start();
    // Two secrets, as while one is replaced.
    const secrets = { CDS_STRIPE_WEBHOOK_SECRETS: ['whsec_older', stripe.webhookSecret] };
    billing = await aBilling(name, undefined, { ...stripe.settings, ...secrets, ...settings });
  });
  afterAll(async () => {
    await billing?.drop();
    await stripe?.stop();
  });
  const of = { billing: made(() => billing), stripe: made(() => stripe) };
  return {
    ...of,
    ...liveOrders(
      () => of.billing,
      () => of.stripe,
    ),
  };
};

/** What a suite makes before its first test, as if it were there already. */
const made = <T extends object>(get: () => T | undefined): T =>
  new Proxy({} as T, {
    get: (_none, key) => Reflect.get(get() ?? {}, key),
    set: (_none, key, value) => Reflect.set(get() ?? {}, key, value),
  });

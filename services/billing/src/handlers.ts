import type { AdvanceClock, Handlers } from '@cds/service';
import { type ApproveDependencies, approvePlan } from './operations/approve-plan.js';
import { billingClockSet } from './operations/billing-clock-set.js';
import { billingDue } from './operations/billing-due.js';
import { gateRaise } from './operations/gate-raise.js';
import { payCheckout } from './operations/pay-checkout.js';
import { type PayPageDeps, payPage } from './operations/pay-page.js';
import { type PayRailDeps, payRail } from './operations/pay-rail.js';
import { type PaySandboxDeps, paySandbox } from './operations/pay-sandbox.js';
import { type QuoteFactsDeps, quoteFacts } from './operations/quote-facts.js';
import { railEvent } from './operations/rail-event.js';
import { type SandboxOrderPaymentDeps, sandboxOrderPayment } from './operations/sandbox-order-payment.js';
import { signingsStanding } from './operations/signings-standing.js';
import { termsCurrent } from './operations/terms-current.js';
import { termsPublish } from './operations/terms-publish.js';

/** Everything that billing's operations depend on; each names the part that it uses. */
export type Deps = ApproveDependencies &
  PayPageDeps &
  PayRailDeps &
  PaySandboxDeps &
  QuoteFactsDeps &
  SandboxOrderPaymentDeps & { advanceClock: AdvanceClock };

/** Billing's operations, one per declaration. */
export const handlers = {
  approvePlan,
  sandboxOrderPayment,
  quoteFacts,
  signingsStanding,
  gateRaise,
  termsPublish,
  termsCurrent,
  payPage,
  payCheckout,
  payRail,
  paySandbox,
  railEvent,
  billingDue,
  billingClockSet,
} satisfies Handlers<'billing', Deps>;

import type { AdvanceClock, Handlers, MandateChecks } from '@cds/service';
import { type ApproveDependencies, approvePlan } from './operations/approve-plan.js';
import { billingClockSet } from './operations/billing-clock-set.js';
import { billingDue } from './operations/billing-due.js';
import { billingMandateTry } from './operations/billing-mandate-try.js';
import { gateRaise } from './operations/gate-raise.js';
import { keysSpent } from './operations/keys-spent.js';
import { opsCreditsList, opsCreditWaive } from './operations/ops-credits.js';
import { opsOrderAcceptPayment } from './operations/ops-order-accept-payment.js';
import { type OpsOrderCancelDeps, opsOrderCancel } from './operations/ops-order-cancel.js';
import { opsOrderGet } from './operations/ops-order-get.js';
import { opsOrderInvoicePaid, opsOrderInvoiceSent, opsOrderInvoiceWithdrawn } from './operations/ops-order-invoice.js';
import { type OpsRefundDeps, opsCreditRefund, opsOrderRefund } from './operations/ops-order-refund.js';
import { opsOrderRefundReturned } from './operations/ops-order-refund-returned.js';
import { opsOrdersList } from './operations/ops-orders-list.js';
import { type OpsTermsDeps, opsTermsList } from './operations/ops-terms-list.js';
import { opsTermsPublish } from './operations/ops-terms-publish.js';
import { type OrderCancelDeps, orderCancel } from './operations/order-cancel.js';
import { orderGet } from './operations/order-get.js';
import { ordersList } from './operations/orders-list.js';
import { payCheckout } from './operations/pay-checkout.js';
import { type PayInvoiceDeps, payInvoice } from './operations/pay-invoice.js';
import { type PayPageDeps, payPage } from './operations/pay-page.js';
import { type PayRailDeps, payRail } from './operations/pay-rail.js';
import { type PaySandboxDeps, paySandbox } from './operations/pay-sandbox.js';
import { type QuoteFactsDeps, quoteFacts } from './operations/quote-facts.js';
import { railEvent } from './operations/rail-event.js';
import { type ReceiptGetDeps, receiptGet } from './operations/receipt-get.js';
import { receiptKeys } from './operations/receipt-keys.js';
import { type SandboxOrderPaymentDeps, sandboxOrderPayment } from './operations/sandbox-order-payment.js';
import { signingsStanding } from './operations/signings-standing.js';
import { termsCurrent } from './operations/terms-current.js';
import { termsPublish } from './operations/terms-publish.js';
import type { GatedSignings } from './signing/gated-signings.js';

/** Everything that billing's operations depend on; each names the part that it uses. */
export type Deps = ApproveDependencies &
  PayPageDeps &
  PayRailDeps &
  PaySandboxDeps &
  QuoteFactsDeps &
  OpsTermsDeps &
  OpsOrderCancelDeps &
  OpsRefundDeps &
  OrderCancelDeps &
  PayInvoiceDeps &
  ReceiptGetDeps &
  SandboxOrderPaymentDeps & {
    advanceClock: AdvanceClock;
    checks: MandateChecks;
    gated: GatedSignings;
  };

/** Billing's operations, one per declaration. */
export const handlers = {
  approvePlan,
  ordersList,
  orderGet,
  orderCancel,
  receiptGet,
  receiptKeys,
  sandboxOrderPayment,
  opsOrdersList,
  opsOrderGet,
  opsOrderInvoiceSent,
  opsOrderInvoiceWithdrawn,
  opsOrderInvoicePaid,
  opsOrderAcceptPayment,
  opsOrderCancel,
  opsOrderRefund,
  opsOrderRefundReturned,
  opsCreditsList,
  opsCreditRefund,
  opsCreditWaive,
  quoteFacts,
  signingsStanding,
  gateRaise,
  keysSpent,
  opsTermsList,
  opsTermsPublish,
  termsPublish,
  termsCurrent,
  payPage,
  payCheckout,
  payRail,
  payInvoice,
  paySandbox,
  railEvent,
  billingDue,
  billingClockSet,
  billingMandateTry,
} satisfies Handlers<'billing', Deps>;

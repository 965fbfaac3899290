import { createHmac } from 'node:crypto';
import {
  type AdvanceClock,
  clockSet,
  type DepsOf,
  MandateChecks,
  type OneHandlerEach,
  RowRunner,
  type ServiceParts,
  type Shell,
} from '@cds/service';
import { type BillingConfig, sellerOf } from './config.js';
import type { Dependencies } from './dependencies.js';
import { Background } from './dependencies.js';
import { lineChanged } from './events/line-changed.js';
import { mandateChanged } from './events/mandate-changed.js';
import { republished } from './events/republished.js';
import * as handlers from './handlers.js';
import { Checkout } from './payment/checkout.js';
import { LineCredits } from './payment/line-credits.js';
import { Receiver } from './payment/receiver.js';
import { reconciler } from './payment/reconciler.js';
import { Refunder } from './payment/refunder.js';
import { unpaidEnd } from './payment/unpaid-end.js';
import { PaymentWorker } from './payment/worker.js';
import { InvoiceRail } from './rails/invoice/invoice-rail.js';
import { Invoices } from './rails/invoice/invoices.js';
import type { PaymentRail } from './rails/rail.js';
import { Rails } from './rails/rails.js';
import { SandboxRail } from './rails/sandbox/sandbox-rail.js';
import { SandboxSessions } from './rails/sandbox/sandbox-sessions.js';
import { sandboxSettlements } from './rails/sandbox/settlements.js';
import { StripeRail } from './rails/stripe/stripe-rail.js';
import { HoldManager } from './signing/holds.js';
import { OrderWriter } from './signing/order-writer.js';
import { PayTokens } from './signing/pay-tokens.js';
import { ReceiptIssuer } from './signing/receipt-issuer.js';
import { GatedSignings, recoveryWorker } from './signing/recovery.js';
import { SigningMachine } from './signing/signing.js';
import { SigningSteps } from './signing/steps.js';
import { Authorities } from './store/authority.js';
import { Credits } from './store/credits.js';
import { Ledger } from './store/ledger.js';
import { OrderBooks } from './store/order-books.js';
import { Orders } from './store/orders.js';
import { PaymentEvents } from './store/payment-events.js';
import { Receipts } from './store/receipts.js';
import { Refunds } from './store/refunds.js';
import { Terms } from './store/terms.js';

export type BillingShell = Dependencies & {
  calls: Pick<
    Shell<'billing'>['calls'],
    'plan_terms' | 'plan_sign' | 'plan_sign_close' | 'write_refusal_get' | 'line_refusal_get' | 'line_cancel_credits'
  >;
};

/** `cards` is the rail of live orders by card; null without one. */
export const billingModule = (
  shell: BillingShell,
  advanceClock: AdvanceClock,
  own: BillingConfig,
  cards: PaymentRail | null = stripeOf(own, shell),
) => {
  const { store, commands, outbox, audit, clocks, log, calls: planning } = shell;
  const appUrl = own.CDS_APP_URL;
  const tokens = new PayTokens(own.CDS_PAY_TOKEN_KEYS, own.CDS_PAY_FORM_KEY);
  commands.openSealedBy((token) => tokens.open(token));
  const authorities = new Authorities(store);
  const orders = new Orders(store);
  const ledger = new Ledger(store);
  const events = new PaymentEvents(store);
  const terms = new Terms(store);
  const sessions = new SandboxSessions(store);
  const invoices = new Invoices(store);
  const credits = new Credits(store);
  const refunds = new Refunds(store);
  const orderBooks = new OrderBooks(store, clocks);
  const receipts = new Receipts(store);
  const issuer = new ReceiptIssuer(own.CDS_RECEIPT_KEYS, appUrl);
  const checks = new MandateChecks(store);
  const rows = new RowRunner(store, log);
  const background = new Background(log);

  const books = { store, outbox, audit, log, background, orders, ledger, credits, refunds };
  const holds = new HoldManager({ store, log, authorities, tokens });
  const steps = new SigningSteps({ commands, log, background, authorities, checks, receipts, issuer, terms, planning });
  const writer = new OrderWriter({ ...books, commands, checks, authorities, receipts, issuer, tokens, appUrl });
  const signing = new SigningMachine(holds, steps, writer, shell.failpoints);
  const gated = new GatedSignings(signing, log);

  const rails = new Rails(
    new SandboxRail(sessions, clocks, own.CDS_SANDBOX_RAIL_SECRET),
    new InvoiceRail(invoices, clocks, invoiceSecretOf(own.CDS_PAY_FORM_KEY)),
    cards,
  );
  const receiver = new Receiver(store, events, rails);
  const worker = new PaymentWorker({ ...books, events, rails });
  const refunder = new Refunder({ ...books, clocks, rails });
  const checkout = new Checkout({ clocks, orders, tokens, rails, receiver, worker, appUrl });

  const deps: DepsOf<typeof handlers> = {
    commands,
    clocks,
    authorities,
    orders,
    ledger,
    checks,
    receipts,
    issuer,
    events,
    terms,
    sessions,
    invoices,
    credits,
    refunds,
    books: orderBooks,
    tokens,
    holds,
    signing,
    gated,
    rails,
    invoiceRail: rails.invoice,
    receiver,
    worker,
    refunder,
    checkout,
    seller: sellerOf(own),
    planning,
    advanceClock,
    appUrl,
  };
  return {
    handlers: handlers satisfies OneHandlerEach<'billing', typeof handlers>,
    deps,
    consumers: [
      mandateChanged(authorities),
      lineChanged(new LineCredits({ orders, ledger, credits, refunds, outbox, audit })),
      clockSet(clocks),
    ],
    reset: {
      collections: [
        'orders',
        'ledger',
        'credits',
        'refunds',
        'payment_events',
        'sandbox_sessions',
        'invoices',
        receipts.signed,
      ],
      also: (tx, ws) => authorities.forget(tx, ws),
      running: (ws) => authorities.runningIn(ws),
    },
    republished: republished(orders, orderBooks, outbox),
    sweeps: [
      recoveryWorker({ store, outbox, log, authorities, signing }, rows),
      worker.sweep(rows),
      worker.forgetBodies(),
      sandboxSettlements(sessions, rails.sandbox, receiver, worker, rows),
      refunder.sweep(rows),
      unpaidEnd({ ...books, authorities, checkout }, rows),
      reconciler(orders, checkout, rows),
    ],
    close: () => background.idle(),
  } satisfies ServiceParts;
};

const stripeOf = (own: BillingConfig, { store }: Pick<BillingShell, 'store'>): StripeRail | null =>
  own.CDS_STRIPE_SECRET_KEY === ''
    ? null
    : new StripeRail(
        {
          secretKey: own.CDS_STRIPE_SECRET_KEY,
          webhookSecrets: own.CDS_STRIPE_WEBHOOK_SECRETS,
          apiUrl: own.CDS_STRIPE_API_URL === '' ? null : own.CDS_STRIPE_API_URL,
        },
        () => store.now(),
      );

/** Invoice events never leave billing; their secret is its own, so that no other key can mark an invoice as paid. */
const invoiceSecretOf = (formKey: BillingConfig['CDS_PAY_FORM_KEY']): string =>
  createHmac('sha256', formKey).update('events of the invoice rail').digest('hex');

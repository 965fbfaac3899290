import { RowRunner, type ServiceParts, type Settle, type Shell } from '@cds/service';
import type { BillingConfig } from './config.js';
import type { Kit } from './dependencies.js';
import { clockSet } from './events/clock-set.js';
import { mandateChanged } from './events/mandate-changed.js';
import { republished } from './events/republished.js';
import { type Deps, handlers } from './handlers.js';
import { Checkout } from './payment/checkout.js';
import type { PaymentRail } from './payment/rail.js';
import { Receiver } from './payment/receiver.js';
import { reconciler } from './payment/reconciler.js';
import { SandboxRail } from './payment/sandbox-rail.js';
import { settlements } from './payment/sandbox-settlements.js';
import { unpaidEnd } from './payment/unpaid-end.js';
import { PaymentWorker } from './payment/worker.js';
import { Standing } from './signing/hold-manager.js';
import { PayTokens } from './signing/pay-tokens.js';
import { completer } from './signing/recovery-worker.js';
import { Signing } from './signing/signing.js';
import { Authorities } from './store/authority.js';
import { Ledger } from './store/ledger.js';
import { Orders } from './store/orders.js';
import { PaymentEvents } from './store/payment-events.js';
import { SandboxSessions } from './store/sandbox-sessions.js';
import { Terms } from './store/terms.js';

/** What billing is wired from beside its settings: the shell's parts, and planning as the one service it calls. */
export type BillingShell = Kit & {
  calls: Pick<Shell<'billing'>['calls'], 'plan_terms' | 'plan_sign' | 'plan_sign_close'>;
};

/** Wires billing: its stores, the signing saga, the payment rails, and the sweeps that end what was left. */
export const billingModule = (shell: BillingShell, settle: Settle, own: BillingConfig) => {
  const kit: Kit = shell;
  const appUrl = own.CDS_APP_URL;
  const planning = shell.calls;
  const tokens = new PayTokens(own.CDS_PAY_TOKEN_KEYS, own.CDS_PAY_FORM_KEY);
  kit.commands.openSealedBy((token) => tokens.open(token));
  const authorities = new Authorities(kit.store);
  const orders = new Orders(kit.store);
  const ledger = new Ledger(kit.store);
  const events = new PaymentEvents(kit.store);
  const terms = new Terms(kit.store);
  const sessions = new SandboxSessions(kit.store);
  const rows = new RowRunner(kit.store, kit.log);

  const signing = new Signing({ kit, authorities, orders, ledger, tokens, planning, appUrl });
  const standing = new Standing({ kit, authorities, tokens, signing });

  const sandboxRail = new SandboxRail(sessions, kit.clocks, own.CDS_SANDBOX_RAIL_SECRET);
  const rails: ReadonlyMap<string, PaymentRail> = new Map([[sandboxRail.name, sandboxRail]]);
  const receiver = new Receiver(kit, events, rails);
  const worker = new PaymentWorker({ kit, events, orders, ledger, rails });
  const checkout = new Checkout({ kit, orders, tokens, rail: sandboxRail, receiver, worker, appUrl });

  const deps: Deps = {
    kit,
    authorities,
    orders,
    ledger,
    events,
    terms,
    sessions,
    tokens,
    signing,
    standing,
    sandboxRail,
    receiver,
    worker,
    checkout,
    planning,
    settle,
    appUrl,
  };
  return {
    handlers,
    deps,
    consumers: [mandateChanged(authorities), clockSet(kit.clocks)],
    republished: republished(orders, kit.outbox),
    sweeps: [
      completer(kit, authorities, signing, rows),
      worker.sweep(rows),
      settlements(sessions, sandboxRail, receiver, worker, rows),
      unpaidEnd({ kit, orders, ledger, authorities, checkout }, rows),
      reconciler(orders, checkout, rows),
    ],
    close: async () => {
      await Promise.all([signing.idle(), worker.idle()]);
    },
  } satisfies ServiceParts;
};

import { type AdvanceClock, RowRunner, type ServiceParts, type Shell } from '@cds/service';
import { Background } from './background.js';
import type { BillingConfig } from './config.js';
import type { Dependencies } from './dependencies.js';
import { clockSet } from './events/clock-set.js';
import { mandateChanged } from './events/mandate-changed.js';
import { republished } from './events/republished.js';
import { type Deps, handlers } from './handlers.js';
import { Checkout } from './payment/checkout.js';
import type { PaymentRail } from './payment/rail.js';
import { Receiver } from './payment/receiver.js';
import { reconciler } from './payment/reconciler.js';
import { SandboxRail } from './payment/sandbox-rail.js';
import { sandboxSettlements } from './payment/sandbox-settlements.js';
import { unpaidEnd } from './payment/unpaid-end.js';
import { PaymentWorker } from './payment/worker.js';
import { failpointsOf } from './signing/failpoints.js';
import { HoldManager } from './signing/hold-manager.js';
import { OrderWriter } from './signing/order-writer.js';
import { PayTokens } from './signing/pay-tokens.js';
import { recoveryWorker } from './signing/recovery-worker.js';
import { SigningMachine } from './signing/signing-machine.js';
import { SigningTasks } from './signing/signing-tasks.js';
import { SigningSteps } from './signing/steps.js';
import { Authorities } from './store/authority.js';
import { Ledger } from './store/ledger.js';
import { Orders } from './store/orders.js';
import { PaymentEvents } from './store/payment-events.js';
import { SandboxSessions } from './store/sandbox-sessions.js';
import { Terms } from './store/terms.js';

/** What billing is wired from besides its settings: its dependencies, and planning as the one service it calls. */
export type BillingShell = Dependencies & {
  calls: Pick<Shell<'billing'>['calls'], 'plan_terms' | 'plan_sign' | 'plan_sign_close'>;
};

/** Wires billing: its stores, the signing saga, the payment rails, and the sweeps that finish what was left. */
export const billingModule = (shell: BillingShell, advanceClock: AdvanceClock, own: BillingConfig) => {
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
  const rows = new RowRunner(store, log);
  const background = new Background(log);

  const books = { store, outbox, audit, log, background, orders, ledger };
  const tasks = new SigningTasks({ store, outbox, log, authorities });
  const holds = new HoldManager({ store, log, authorities, tokens });
  const steps = new SigningSteps({ commands, log, background, authorities, terms, planning });
  const writer = new OrderWriter({ ...books, commands, tokens, tasks, appUrl });
  const signing = new SigningMachine(holds, steps, writer, failpointsOf(shell.failpoints));

  const sandboxRail = new SandboxRail(sessions, clocks, own.CDS_SANDBOX_RAIL_SECRET);
  const rails: ReadonlyMap<string, PaymentRail> = new Map([[sandboxRail.name, sandboxRail]]);
  const receiver = new Receiver(store, events, rails);
  const worker = new PaymentWorker({ ...books, events, rails });
  const checkout = new Checkout({ clocks, orders, tokens, rail: sandboxRail, receiver, worker, appUrl });

  const deps: Deps = {
    commands,
    clocks,
    authorities,
    orders,
    ledger,
    events,
    terms,
    sessions,
    tokens,
    holds,
    signing,
    sandboxRail,
    receiver,
    worker,
    checkout,
    planning,
    advanceClock,
    appUrl,
  };
  return {
    handlers,
    deps,
    consumers: [mandateChanged(authorities), clockSet(clocks)],
    republished: republished(orders, outbox),
    sweeps: [
      recoveryWorker({ log, authorities, signing, tasks }, rows),
      worker.sweep(rows),
      sandboxSettlements(sessions, sandboxRail, receiver, worker, rows),
      unpaidEnd({ ...books, authorities, checkout }, rows),
      reconciler(orders, checkout, rows),
    ],
    close: () => background.idle(),
  } satisfies ServiceParts;
};

import { AppError, conflict, notFound } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { type Checkout, payableSession } from '../payment/checkout.js';
import { retryOrderRaces } from '../payment/lost-race.js';
import type { Receiver } from '../payment/receiver.js';
import type { PaymentWorker } from '../payment/worker.js';
import { MOVE_OF_BUTTON } from '../rails/sandbox/sandbox-session.js';
import type { SandboxSessions } from '../rails/sandbox/sandbox-sessions.js';
import { type PayPageDeps, shownPage } from './pay-page.js';

export type PaySandboxDeps = PayPageDeps & {
  checkout: Checkout;
  sessions: SandboxSessions;
  receiver: Receiver;
  worker: PaymentWorker;
};

/** Raises not_found (also for a live order), forbidden, bad_request, conflict. Source: docs/domain/orders.md#rails. */
export const paySandbox: WriteHandler<'pay_sandbox', PaySandboxDeps> = async (ctx, input, deps) => {
  const move = MOVE_OF_BUTTON.get(input.button);
  if (move === undefined) {
    throw new AppError('bad_request', `Unknown checkout action: ${input.button}. Use pay, decline, delay or expire.`, {
      problems: [{ field: 'button', message: 'must be pay, decline, delay or expire' }],
    });
  }
  const delivery = await retryOrderRaces(async () => {
    const order = await deps.checkout.orderOf(input.token, input.form_token);
    if (!order.sandbox) throw notFound('payment link');
    await deps.checkout.mustBePayable(order);

    const payable = payableSession(order);
    const session = payable === null ? null : await deps.sessions.byKey(order.ws, payable.rail_key);
    const at = await deps.clocks.now(order.ws);
    const played = session === null ? null : await deps.rails.sandbox.play(session, move, at);
    if (played === null) throw conflict('bad_state', 'No checkout is open. Press Pay on the payment page first.');
    return played;
  });

  const { raw, signature } = delivery;
  const id = await deps.receiver.receive(deps.rails.sandbox.name, { raw: Buffer.from(raw), signature });
  if (id !== null) await deps.worker.apply(id);

  return shownPage(ctx, input.token, deps);
};

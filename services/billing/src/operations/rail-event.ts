import type { WriteHandler } from '@cds/service';
import type { Receiver } from '../payment/receiver.js';
import type { PaymentWorker } from '../payment/worker.js';

/** Raises bad_request (signature or time). Source: docs/reliability.md#payment-events (I21, I22). */
export const railEvent: WriteHandler<'rail_event', { receiver: Receiver; worker: PaymentWorker }> = async (
  _ctx,
  input,
  { receiver, worker },
) => {
  const raw = Buffer.from(input.raw_base64, 'base64');

  const id = await receiver.receive(input.rail, { raw, signature: input.signature });
  if (id !== null) worker.wake(id);

  return { received: true };
};

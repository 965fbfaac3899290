// What billing asks the operator's team to do (docs/domain/operators.md#tasks-and-feedback).
import type { EventPayload } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';
import type { Hold } from './authority.js';
import type { Order } from './order.js';
import type { LedgerEntry } from './order-state.js';
import { EXCESS, type RailEvent } from './payment-event.js';
import { excessOf, isOfPayment, keptRefunds, type Refund, TRANSFER } from './refund.js';

export type SigningTask = EventPayload<'billing_task.opened'> & {
  kind: 'signing_without_order' | 'signing_stuck';
};

const taskOf = (kind: SigningTask['kind'], hold: Hold, at: Date): SigningTask => ({
  aggregate: namedUuid(kind, hold.signing_id),
  version: 1,
  kind,
  about: { order_id: hold.order_id },
  note: `Signing ${hold.signing_id} of plan ${hold.plan_id}, key ${hold.principal.key}.`,
  opened_at: at.toISOString(),
});

/** The order or command belongs to another signing; the hold stays until a person has looked. */
export const signingWithoutOrder = (hold: Hold, at: Date): SigningTask => taskOf('signing_without_order', hold, at);

export const signingStuck = (hold: Hold, at: Date): SigningTask => taskOf('signing_stuck', hold, at);

type PaymentTask = EventPayload<'billing_task.opened'>;

const aboutMoney = (
  kind: PaymentTask['kind'],
  ref: string,
  order: Pick<Order, '_id'>,
  note: string,
  at: Date,
): PaymentTask => ({
  aggregate: namedUuid(kind, ref),
  version: 1,
  kind,
  about: { order_id: order._id },
  note,
  opened_at: at.toISOString(),
});

/** Another amount can be accepted if it covers the order. */
const strayNote = (
  { _id, total_cents: total, payment_state: state }: Order,
  { rail_ref, amount_cents: cents }: Pick<LedgerEntry, 'rail_ref' | 'amount_cents'>,
): string => {
  const said = `${cents} cents by payment ${rail_ref}.`;
  const mayAccept = cents > total && (state === 'unpaid' || state === 'processing');
  return mayAccept
    ? `${said} The order costs ${total}: return all of it, or accept it with POST /api/ops/orders/${_id}/accept-payment and return the rest.`
    : said;
};

/** Only what is `owed` is to be repaid: what went back twice is owed to nobody. */
export const tasksOf = (
  order: Order,
  entries: readonly Pick<LedgerEntry, 'kind' | 'rail_ref' | 'amount_cents' | 'cause'>[],
  event: RailEvent,
  isForPerson: boolean,
  owed: { own: number; stray: number } = { own: 0, stray: 0 },
): PaymentTask[] => {
  const stray = entries
    .filter(({ kind }) => kind === 'stray_charge')
    .map((entry) => aboutMoney('stray_charge', entry.rail_ref, order, strayNote(order, entry), event.occurred_at));
  const open = { ...owed };
  const cameBack = entries
    .filter(({ kind, cause }) => kind.endsWith('_returned') && cause !== EXCESS)
    .map((entry) => {
      const of = entry.kind === 'refund_returned' ? 'own' : 'stray';
      const cents = Math.max(0, Math.min(entry.amount_cents, open[of]));
      open[of] -= cents;
      return { ...entry, amount_cents: cents };
    })
    .filter(({ amount_cents: cents }) => cents > 0)
    .map(({ kind, rail_ref, amount_cents: cents }) =>
      aboutMoney(
        'refund_failed',
        `${rail_ref} ${kind}`,
        order,
        `${cents} cents of payment ${event.rail_ref} came back. Where they are owed, repay them by transfer: POST /api/ops/orders/${order._id}/refund with amount_cents ${cents} and its bank_reference.`,
        event.occurred_at,
      ),
    );
  const money = [...stray, ...cameBack];
  if (!isForPerson) return money;
  if (event.kind === 'charge') {
    const note = `${event.amount_cents} cents in ${event.currency} by payment ${event.rail_ref}, which the ledger does not have: return them at the payment provider.`;
    return [...money, aboutMoney('stray_charge', event.rail_ref, order, note, event.occurred_at)];
  }
  return [
    ...money,
    aboutMoney(
      'payment_disputed',
      event.dispute ?? event.event_id,
      order,
      `${event.amount_cents} cents of payment ${event.rail_ref}.`,
      event.occurred_at,
    ),
  ];
};

/** The rail and the team repaid the same money; the note names the newest transfers that cover it. */
export const returnedTwice = (
  order: Pick<Order, '_id'>,
  entries: readonly LedgerEntry[],
  made: readonly LedgerEntry[],
  { payment, at }: { payment: string; at: Date },
): PaymentTask[] => {
  const all = [...entries, ...made];
  const excess = excessOf(all, payment).filter(({ _id }) => made.some((one) => one._id === _id));
  const [last] = excess;
  if (last === undefined) return [];
  const cents = excess.reduce((sum, one) => sum + one.kept_cents, 0);
  let open = cents;
  const ids: string[] = [];
  for (const one of keptRefunds(all).toReversed()) {
    if (open <= 0) break;
    if (one.rail !== TRANSFER || !isOfPayment(one, payment)) continue;
    open -= one.kept_cents;
    ids.push(one._id);
  }
  const note = `${cents} cents more than was paid by ${payment} went back. Ask for the transfer back. Once it has arrived, report it: POST /api/ops/orders/${order._id}/refund-returned with refund_id ${ids.join(', then ')}.`;
  return [aboutMoney('returned_twice', last.rail_ref, order, note, at)];
};

export const refundRefused = (refund: Refund, problem: string, at: Date): PaymentTask =>
  aboutMoney('refund_failed', refund._id, { _id: refund.order_id }, `${refund.amount_cents} cents: ${problem}`, at);

import { setTimeout as delay } from 'node:timers/promises';
import type { Credit, Order } from '@cds/billing/testing';
import type { PlanApproved } from '@cds/contracts';
import type { CardBooks, CardPayment, CardSession } from '../rail/card-books.js';
import type { Agents, By, Key } from './agents.js';
import type { Workspace } from './workload.js';
import type { World } from './world.js';

export type Signed = { key: Key; id: string; token: string; name: string };

export type Happening = { after: number; run: (signed: Signed) => Promise<unknown> };

export const happeningsOf = (world: World, agents: Agents) => {
  const { cards, scheduler } = world;
  if (cards === null) throw new Error('nothing is paid by card in this world');
  const { random } = scheduler;
  const { books } = cards;
  let writes = 0;
  const write = (of: Signed, by: By, operation: Parameters<Agents['write']>[1], input: object) => {
    writes += 1;
    const reason = by === 'key' ? {} : { reason: 'a test' };
    return agents.write(of.key, operation, { ...input, ...reason }, `${of.name}-${operation}-${writes}`, by);
  };
  const orderOf = ({ id }: Signed): Order | undefined =>
    (world.databases.billing.documents('orders') as unknown as Order[]).find((one) => one._id === id);
  const creditOf = ({ id }: Signed): Credit | undefined => {
    const all = world.databases.billing.documents('credits') as unknown as Credit[];
    const due = all.filter((one) => one.order_id === id && one.state === 'due');
    return due.length === 0 ? undefined : random.one(due);
  };
  /** The team repays an invoice by its own transfer, and a card now and then. */
  const byTransfer = (signed: Signed): { bank_reference?: string } =>
    orderOf(signed)?.rail === 'invoice' || random.chance(0.2) ? { bank_reference: 'T1' } : {};
  const form = ({ token }: Signed) => ({ token, form_token: world.formToken(token) });
  const happening =
    (run: (signed: Signed) => unknown) =>
    (after: number): Happening => ({ after, run: async (signed) => run(signed) });
  const team = (operation: Parameters<Agents['write']>[1], input: (signed: Signed) => object = () => ({})) =>
    happening((signed) => write(signed, 'team', operation, { id: signed.id, ...input(signed) }));
  const ofCredit = (operation: 'ops_credit_refund' | 'ops_credit_waive') =>
    happening(async (signed) => {
      const credit = creditOf(signed);
      const transfer = operation === 'ops_credit_refund' ? byTransfer(signed) : {};
      if (credit !== undefined) await write(signed, 'team', operation, { id: credit._id, ...transfer });
    });
  const ofPayment = (run: (payment: CardPayment) => void) =>
    happening(({ id }) => {
      const payments = books.paymentsOf(id);
      if (payments.length > 0) run(random.one(payments));
    });

  return {
    opens: happening(async (signed) => {
      await agents.press(signed.key, 'pay_checkout', form(signed));
    }),
    /** The payer pays the open session, at once or by a method that settles or fails later. */
    pays: (how: 'card' | 'settled' | 'failed') =>
      happening(async (signed) => {
        const answer = await agents.press(signed.key, 'pay_checkout', form(signed));
        const session = openOf(books, signed.id);
        if (answer.code !== 'ok' || session === undefined) return;
        books.pay(session, how === 'card' ? 'card' : 'delayed');
        if (how === 'card') return;
        await delay(random.between(5, 1_500));
        if (how === 'settled') books.settle(session);
        else books.fail(session);
      }),
    /** Money for a session that has ended: a second payment, or one that came too late. */
    paysAgain: happening(({ id }) => {
      const ended = [...books.sessions.values()].filter(
        (one) => one.order === id && (one.state === 'paid' || one.state === 'closed') && !cards.forgotten.has(one.key),
      );
      if (ended.length > 0) books.charge(random.one(ended));
    }),
    checkoutExpires: happening(({ id }) => {
      const session = openOf(books, id);
      if (session !== undefined) books.expire(session);
    }),
    repaidByHand: ofPayment((payment) => books.repayByHand(payment, random.one([100, 700, payment.cents]))),
    disputed: ofPayment((payment) => books.dispute(payment)),
    disputeWon: ofPayment((payment) => books.disputeIsWon(payment)),
    comesBack: ofPayment((payment) => {
      const made = [...payment.refunds.keys()];
      if (made.length > 0) books.comesBack(payment, random.one(made));
    }),
    byHandComesBack: ofPayment((payment) => books.byHandComesBack(payment)),
    lastDay: happening(({ id }) => world.timePasses(id, 'its last day')),
    cancelledByBrand: happening((signed) => write(signed, 'person', 'order_cancel', { id: signed.id })),
    cancelledByTeam: (credited: 'whole' | 'in part' = 'whole') =>
      team('ops_order_cancel', (signed) => {
        const [line] = orderOf(signed)?.lines ?? [];
        if (credited === 'whole' || line === undefined || orderOf(signed)?.paid_at === null) return {};
        return { credits: [{ line_id: line.line_id, amount_cents: random.one([0, 300]), note: 'agreed' }] };
      }),
    refunded: (cents: 'some' | 'all') =>
      team('ops_order_refund', (signed) => ({
        amount_cents: cents === 'all' ? (orderOf(signed)?.total_cents ?? 1) : random.one([1, 100, 2_500]),
        ...byTransfer(signed),
      })),
    lineRefunded: team('ops_order_refund', (signed) => ({
      amount_cents: random.one([100, 5_000, 10_000]),
      line_id: random.one(orderOf(signed)?.lines ?? []).line_id,
      ...byTransfer(signed),
    })),
    creditPaid: ofCredit('ops_credit_refund'),
    creditWaived: ofCredit('ops_credit_waive'),
    railChosen: (rail: 'checkout' | 'invoice') =>
      happening((signed) => agents.press(signed.key, 'pay_rail', { ...form(signed), rail })),
    invoiceSent: team('ops_order_invoice_sent', () => ({ number: 'R1', due_on: '2026-12-24' })),
    invoiceWithdrawn: team('ops_order_invoice_withdrawn'),
    invoicePaid: team('ops_order_invoice_paid', (signed) => ({
      bank_reference: 'T1',
      amount_cents: orderOf(signed)?.total_cents ?? 1,
    })),
  };
};

export type Happenings = ReturnType<typeof happeningsOf>;

const openOf = ({ sessions }: CardBooks, order: string): CardSession | undefined =>
  [...sessions.values()].find((one) => one.order === order && one.state === 'open');

/** Signs the nth plan of a workspace; then everything that happens to its order begins, each at its time. */
export const signAndPay = (
  agents: Agents,
  { keys, plans }: Workspace,
  nth: number,
  rail: 'checkout' | 'invoice',
  happenings: readonly Happening[],
): void =>
  agents.begin(async () => {
    const [key] = keys;
    const plan = plans[nth];
    if (key === undefined || plan === undefined) throw new Error(`there is no plan ${nth} to sign`);
    const name = `order-${nth}`;
    const input = { id: plan._id, terms_fingerprint: plan.terms_fingerprint, rail };
    const answer = await agents.write(key, 'approve_plan', input, `approve-${nth}`);
    if (answer.code !== 'ok') return;
    const { order_id: id, payment } = answer.body as PlanApproved;
    const signed = { key, id, token: payment.url.split('/').at(-1) ?? '', name };
    for (const { after, run } of happenings)
      agents.begin(async () => {
        await delay(after);
        await run(signed);
      });
  });

/** What happens to one order of a random run: it is paid one way or another while it is cancelled, repaid and ended. */
export const drawnHappenings = (world: World, can: Happenings, spanMs: number): Happening[] => {
  const { random } = world.scheduler;
  const drawn: Happening[] = [];
  const maybe = (chance: number, happening: (after: number) => Happening, times = 1): void => {
    for (let time = 0; time < times; time += 1)
      if (random.chance(chance)) drawn.push(happening(random.between(0, spanMs)));
  };
  const later = (chance: number, happening: (after: number) => Happening, times = 1): void => {
    for (let time = 0; time < times; time += 1)
      if (random.chance(chance)) drawn.push(happening(random.between(spanMs, 3 * spanMs + 500)));
  };
  const last = (chance: number, happening: (after: number) => Happening, times = 1): void => {
    for (let time = 0; time < times; time += 1)
      if (random.chance(chance)) drawn.push(happening(random.between(2 * spanMs + 500, 5 * spanMs + 1_500)));
  };
  maybe(0.2, can.opens);
  maybe(0.9, can.pays(random.one(['card', 'card', 'settled', 'failed'])), 2);
  maybe(0.15, can.checkoutExpires);
  maybe(0.25, random.one([can.cancelledByBrand, can.cancelledByTeam(), can.lastDay]));
  maybe(0.15, can.railChosen(random.one(['checkout', 'invoice'])));
  maybe(0.15, can.invoiceSent);
  maybe(0.1, can.invoiceWithdrawn);
  maybe(0.2, can.invoicePaid);
  later(0.2, can.paysAgain);
  later(0.2, can.lastDay);
  later(0.4, can.refunded('some'), 3);
  later(0.2, can.refunded('all'));
  later(0.3, can.lineRefunded, 2);
  later(0.3, can.cancelledByTeam(random.one(['whole', 'in part'])));
  later(0.4, can.creditPaid, 3);
  later(0.15, can.creditWaived);
  later(0.25, can.repaidByHand);
  later(0.15, can.disputed);
  last(0.4, can.comesBack, 2);
  last(0.3, can.byHandComesBack);
  last(0.4, can.disputeWon);
  last(0.3, can.refunded('some'));
  last(0.3, can.creditPaid);
  return drawn;
};

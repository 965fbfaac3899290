import { namedUuid } from '@cds/service/named-uuid';
import { describe, expect, it } from '@jest/globals';
import { AT, anEntry } from '../test/books.js';
import { aHold } from '../test/builders.js';
import type { LedgerEntry } from './order-state.js';
import type { RailEvent } from './payment-event.js';
import { refundRefused, returnedTwice, signingStuck, signingWithoutOrder, tasksOf } from './tasks.js';

const hold = aHold({ signing_id: 'signing', order_id: 'order', plan_id: 'plan' });
const ORDER = { _id: 'order' } as Parameters<typeof tasksOf>[0];
const EVENT: RailEvent = {
  event_id: 'evt_1',
  kind: 'task',
  order_id: 'order',
  workspace: 'ws',
  sandbox: false,
  amount_cents: 100,
  currency: 'USD',
  rail_ref: 'pi_1',
  rail_key: null,
  cause: 'charge.dispute.created',
  occurred_at: AT,
};
const STRAY = { kind: 'stray_charge', rail_ref: 'pi_2', amount_cents: 400, cause: 'charge' } as const;
const CHARGE = { kind: 'charge', rail_ref: 'pi_1', amount_cents: 100, cause: 'charge' } as const;

const taskOf = (kind: string, ref: string, note: string) => ({
  aggregate: namedUuid(kind, ref),
  version: 1,
  kind,
  about: { order_id: 'order' },
  note,
  opened_at: '2026-11-21T12:00:00.000Z',
});

/** docs/reliability.md#signing, docs/domain/orders.md#rail-events. */
describe('the team is asked', () => {
  const note = `Signing signing of plan plan, key ${hold.principal.key}.`;

  it('to look at a signing without its order, and at one that nobody finishes, once each', () => {
    expect(signingWithoutOrder(hold, AT)).toEqual(taskOf('signing_without_order', 'signing', note));
    expect(signingStuck(hold, AT)).toEqual(taskOf('signing_stuck', 'signing', note));
  });

  it('to return money beyond the total, for each payment', () => {
    expect(tasksOf(ORDER, [CHARGE, STRAY], EVENT, false)).toEqual([
      taskOf('stray_charge', 'pi_2', '400 cents by payment pi_2.'),
    ]);
  });

  it.each<[state: string, cents: number, mayAccept: boolean]>([
    ['unpaid', 401, true],
    ['processing', 401, true],
    ['paid', 401, false],
    ['cancelled', 401, false],
    ['unpaid', 400, false],
    ['unpaid', 399, false],
  ])('to accept money beyond the total while its order is %s: %s of 400', (payment_state, cents, mayAccept) => {
    const order = { ...ORDER, total_cents: 400, payment_state } as typeof ORDER;
    const [task] = tasksOf(order, [{ ...STRAY, amount_cents: cents }], EVENT, false);
    expect(task?.note).toBe(
      mayAccept
        ? `${cents} cents by payment pi_2. The order costs 400: return all of it, or accept it with POST /api/ops/orders/order/accept-payment and return the rest.`
        : `${cents} cents by payment pi_2.`,
    );
  });

  it('to return a payment in another currency at the provider', () => {
    const event = { ...EVENT, kind: 'charge' as const, currency: 'EUR' };
    expect(tasksOf(ORDER, [], event, true)).toEqual([
      taskOf(
        'stray_charge',
        'pi_1',
        '100 cents in EUR by payment pi_1, which the ledger does not have: return them at the payment provider.',
      ),
    ]);
  });

  it('to repay what came back in the words of the action that does it', () => {
    const returned = { kind: 'stray_refund_returned', rail_ref: 'pi_1#one', amount_cents: 100, cause: 'team' } as const;
    expect(tasksOf(ORDER, [returned], EVENT, false, { own: 0, stray: 100 })).toEqual([
      taskOf(
        'refund_failed',
        'pi_1#one stray_refund_returned',
        '100 cents of payment pi_1 came back. Where they are owed, repay them by transfer: POST /api/ops/orders/order/refund with amount_cents 100 and its bank_reference.',
      ),
    ]);
  });

  it('to repay no more than is owed, however many entries say what came back', () => {
    const back = (kind: 'refund_returned' | 'stray_refund_returned', rail_ref: string, cause = 'refund.failed') =>
      ({ kind, rail_ref, amount_cents: 100, cause }) as const;
    const said = (entries: Parameters<typeof tasksOf>[1], owed: Parameters<typeof tasksOf>[4]) =>
      tasksOf(ORDER, entries, EVENT, false, owed).map(({ note: said }) => said?.split(' cents')[0]);
    const [one, two, stray] = [
      back('refund_returned', 'pi_1#one'),
      back('refund_returned', 'pi_1#two'),
      back('stray_refund_returned', 'pi_1#900'),
    ];
    expect(said([one, two], { own: 120, stray: 0 })).toEqual(['100', '20']);
    expect(said([one, stray], { own: 100, stray: 0 })).toEqual(['100']);
    expect(said([one, stray], { own: 100, stray: 30 })).toEqual(['100', '30']);
    const won = back('stray_refund_returned', 'pi_2#dispute:dp', 'dispute');
    expect(said([won], { own: 0, stray: 100 })).toEqual(['100']);
    expect(said([one, stray], { own: -10, stray: -10 })).toEqual([]);
  });

  it('nothing by an event that books what it should', () => {
    expect(tasksOf(ORDER, [CHARGE], EVENT, false)).toEqual([]);
  });

  it('to answer a dispute', () => {
    expect(tasksOf(ORDER, [STRAY], { ...EVENT, dispute: 'dp_1' }, true)).toEqual([
      taskOf('stray_charge', 'pi_2', '400 cents by payment pi_2.'),
      taskOf('payment_disputed', 'dp_1', '100 cents of payment pi_1.'),
    ]);
    expect(tasksOf(ORDER, [], EVENT, true)).toEqual([
      taskOf('payment_disputed', 'evt_1', '100 cents of payment pi_1.'),
    ]);
  });

  it.each([
    ['what came back of a refund', 'refund.failed', 100, ['100 cents of payment pi_1 came back.']],
    ['what is owed by a dispute that was won', 'dispute', 40, ['40 cents of payment pi_1 came back.']],
    ['nothing of one that left the money with a live order', 'dispute', 0, []],
    ['what is owed of a refund that had been made twice', 'refund.failed', 30, ['30 cents of payment pi_1 came back.']],
    ['nothing of money that only changed its name', 'excess', 100, []],
    ['no more than came back', 'refund.failed', 101, ['100 cents of payment pi_1 came back.']],
  ])('to repay %s', (_name, cause, dueCents, notes) => {
    const returned = { kind: 'refund_returned', rail_ref: 're_1', amount_cents: 100, cause } as const;
    const tasks = tasksOf(ORDER, [returned], EVENT, false, { own: dueCents, stray: 0 });
    expect(tasks.map(({ note: said }) => said?.split(' Where')[0])).toEqual(notes);
  });

  describe('for what went back twice', () => {
    const booked = (kind: LedgerEntry['kind'], ref: string, cents: number, rail = 'stripe') =>
      anEntry(kind, ref, cents, { rail });
    const paid = [booked('charge', 'pi_1', 1_000), booked('stray_charge', 'pi_2', 1_000)];
    const byTransfer = booked('refund', 'pi_1#one', -400, 'transfer');
    const other = booked('refund', 'pi_1#two', -100, 'transfer');
    const byHand = [booked('refund', 'pi_1#1000', -500), booked('stray_refund', 'pi_1#1000', -500)];
    const asked = (cents: number, ...ids: string[]) => [
      taskOf(
        'returned_twice',
        'pi_1#1000',
        `${cents} cents more than was paid by pi_1 went back. Ask for the transfer back. Once it has arrived, report it: POST /api/ops/orders/order/refund-returned with refund_id ${ids.join(', then ')}.`,
      ),
    ];

    it.each([
      ['whatever another payment has left', [...paid, byTransfer, other], byHand, 500, [other, byTransfer]],
      [
        'by the newest transfer that has it',
        [...paid, byTransfer, other],
        [booked('stray_refund', 'pi_1#1000', -100)],
        100,
        [other],
      ],
      ['not where nothing is too much', paid, [booked('stray_refund', 'pi_2#1000', -1_000)], 0, []],
      ['not again for what was too much before', [...paid, byTransfer, other, ...byHand], [], 0, []],
    ])('%s', (_name, entries, made, cents, transfers) => {
      expect(returnedTwice(ORDER, entries, made, { payment: 'pi_1', at: AT })).toEqual(
        cents === 0 ? [] : asked(cents, ...transfers.map(({ _id }) => _id)),
      );
    });
  });

  it('to see to a repayment that its rail refused', () => {
    const refund = { _id: 'refund', order_id: 'order', amount_cents: 250 } as Parameters<typeof refundRefused>[0];
    expect(refundRefused(refund, 'insufficient funds', AT)).toEqual(
      taskOf('refund_failed', 'refund', '250 cents: insufficient funds'),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bookingOf } from '../payment/booking.js';
import { anEntry, CAMPAIGN } from '../test/books.js';
import { aHold } from '../test/builders.js';
import type { Order } from './order.js';
import { signedOrder } from './order.js';
import type { LedgerEntry } from './order-state.js';
import { stateOf } from './order-state.js';
import { decideEvent, type RailEvent } from './payment-event.js';

const order: Order = {
  ...signedOrder(aHold({ order_id: 'o' }), [], CAMPAIGN, ''),
  sandbox: true,
  generation: 1,
  session: { generation: 1, rail_key: 'o:1', state: 'open', url: null, opened_at: new Date(0) },
};
const event = (kind: RailEvent['kind'], over: Partial<RailEvent> = {}): RailEvent => ({
  event_id: `evt_${kind}`,
  kind,
  order_id: 'o',
  workspace: 'ws',
  sandbox: true,
  amount_cents: 100,
  currency: 'USD',
  rail_ref: 'pay_1',
  rail_key: 'o:1',
  cause: kind,
  occurred_at: new Date(0),
  ...over,
});
/** Books events one after another as the worker does; quarantined and parked ones leave the order alone. */
const after = (events: readonly RailEvent[]) => {
  let current = order;
  let entries: LedgerEntry[] = [];
  for (const one of events) {
    const decision = decideEvent(current, entries, one);
    if (decision.kind !== 'apply') continue;
    const by = { actor: '', rail: 'sandbox', at: one.occurred_at };
    const booking = bookingOf({ order: current, entries, credits: [] }, { entries: decision.entries }, by);
    current = booking.after;
    entries = [...entries, ...booking.entries];
  }
  return { order: current, kinds: entries.map((entry) => entry.kind), entries };
};
const cancelled = [anEntry('cancel', 'o', 0, { order_id: 'o', actor: '' })];

describe("a rail's events and the order's moves (docs/domain/orders.md#payment-states)", () => {
  it.each([
    ['pending, then settled', [event('pending'), event('charge')], 'paid', ['pending', 'charge']],
    ['pending, then failed', [event('pending'), event('failed')], 'unpaid', ['pending', 'failed']],
    ['failed arrives before its pending', [event('failed'), event('pending')], 'unpaid', ['failed']],
    [
      'a failure of an earlier session',
      [event('pending'), event('failed', { rail_key: 'o:0', rail_ref: 'pay_0' })],
      'processing',
      ['pending'],
    ],
    ['a delay of an earlier session', [event('pending', { rail_key: 'o:0', rail_ref: 'pay_0' })], 'unpaid', []],
    ['money of an earlier session', [event('charge', { rail_key: 'o:0', rail_ref: 'pay_0' })], 'paid', ['charge']],
    [
      'cumulative refunds',
      [event('charge'), event('refund', { amount_cents: 40 }), event('refund', { amount_cents: 100 })],
      'refunded',
      ['charge', 'refund', 'refund'],
    ],
    [
      'an older refund that arrives late',
      [event('charge'), event('refund', { amount_cents: 100 }), event('refund', { amount_cents: 40 })],
      'refunded',
      ['charge', 'refund'],
    ],
    ['another amount', [event('charge', { amount_cents: 99 })], 'unpaid', ['stray_charge']],
    ['one cent more', [event('charge', { amount_cents: 101 })], 'unpaid', ['stray_charge']],
  ] as const)('%s', (_name, events, state, kinds) => {
    const result = after(events);
    expect(result.order.payment_state).toBe(state);
    expect(result.kinds).toEqual(kinds);
  });

  it('money for a cancelled order is a stray charge and never pays it (B32)', () => {
    expect(decideEvent({ ...order, payment_state: 'cancelled' }, cancelled, event('charge'))).toMatchObject({
      kind: 'apply',
      entries: [{ kind: 'stray_charge', amount_cents: 100 }],
    });
  });

  it.each([
    ['a sandbox rail on a live order', { sandbox: false }, { sandbox: true }],
    ['a live rail on a sandbox order', { sandbox: true }, { sandbox: false }],
  ])('%s is quarantined, whatever it says', (_name, of, said) => {
    for (const kind of ['charge', 'pending', 'failed', 'closed', 'refund', 'none'] as const)
      expect(decideEvent({ ...order, ...of }, [], event(kind, said))).toEqual({ kind: 'quarantine', reason: 'rail' });
  });

  it('books the payment once for any deliveries in any order, and the state is the ledger’s (I21, I23)', () => {
    const one = fc.constantFrom(
      event('charge'),
      event('pending'),
      event('failed'),
      event('closed'),
      event('refund', { amount_cents: 30 }),
      event('refund', { amount_cents: 100 }),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), (events) => {
        const result = after(events);
        expect(result.kinds.filter((kind) => kind === 'charge').length).toBeLessThanOrEqual(1);
        expect(result.order.payment_state).toBe(stateOf(result.entries));
        if (events.some((each) => each.kind === 'charge'))
          expect(['unpaid', 'processing']).not.toContain(result.order.payment_state);
      }),
    );
  });
});

/** docs/domain/orders.md#rail-events. */
describe('what is decided of an event', () => {
  const ledger = (kind: LedgerEntry['kind'], rail_ref: string, amount_cents: number): LedgerEntry => ({
    ...(cancelled[0] as LedgerEntry),
    kind,
    rail_ref,
    amount_cents,
  });
  const own = (kind: LedgerEntry['kind'], ref: string, cents = 0) => ledger(kind, `pay_1#${ref}`, cents);
  const CHARGE = ledger('charge', 'pay_1', 100);
  const STRAY = ledger('stray_charge', 'pay_2', 100);
  const CANCEL = ledger('cancel', 'o', 0);
  const NOTHING = { kind: 'apply', entries: [], closesSession: false };
  const PARK = { kind: 'park' };
  const quarantine = (reason: string) => ({ kind: 'quarantine', reason });
  const books = (kind: LedgerEntry['kind'], amount_cents: number, over: object = {}, closesSession = false) => ({
    kind: 'apply',
    entries: [{ kind, amount_cents, rail_ref: 'pay_1', cause: '', ...over }],
    closesSession,
  });
  const refunds = (cents: number, ref: string, cause = '') =>
    books('refund', -cents, { rail_ref: `pay_1#${ref}`, cause });
  const said = (kind: RailEvent['kind'], over: Partial<RailEvent> = {}) => event(kind, { cause: '', ...over });
  const lost = (over: Partial<RailEvent> = {}) => said('dispute_lost', { dispute: 'dp_1', rail_key: null, ...over });
  const refund = (amount_cents: number, over: Partial<RailEvent> = {}) =>
    said('refund', { amount_cents, rail_key: null, ...over });
  const disputed = own('refund', 'dispute:dp_1', -30);
  const refunded = own('refund', '40', -40);

  it.each<[string, LedgerEntry[], RailEvent, object]>([
    ['a charge books the total and ends its session', [], said('charge'), books('charge', 100, {}, true)],
    ['a charge of no session ends none', [], said('charge', { rail_key: null }), books('charge', 100)],
    ['a charge of another session ends none', [], said('charge', { rail_key: 'o:0' }), books('charge', 100)],
    ['a charge that is known books nothing', [CHARGE], said('charge'), NOTHING],
    ['a charge that is known as stray books nothing', [STRAY], said('charge', { rail_ref: 'pay_2' }), NOTHING],
    [
      'another payment is stray',
      [CHARGE],
      said('charge', { rail_ref: 'pay_2' }),
      books('stray_charge', 100, { rail_ref: 'pay_2' }, true),
    ],
    ['a payment of a cancelled order is stray', [CANCEL], said('charge'), books('stray_charge', 100, {}, true)],
    ['a pending payment ends no session', [], said('pending'), books('pending', 0)],
    ['a pending payment of no session counts', [], said('pending', { rail_key: null }), books('pending', 0)],
    ['a pending payment that is known books nothing', [ledger('pending', 'pay_1', 0)], said('pending'), NOTHING],
    [
      'a pending payment that is known books nothing, though another failed since',
      [ledger('pending', 'pay_1', 0), ledger('failed', 'pay_0', 0)],
      said('pending'),
      NOTHING,
    ],
    ['a pending payment that is stray books nothing', [ledger('stray_charge', 'pay_1', 100)], said('pending'), NOTHING],
    ['a second payment that is pending books nothing', [ledger('pending', 'pay_0', 0)], said('pending'), NOTHING],
    ['a pending payment of a paid order books nothing', [ledger('charge', 'pay_0', 100)], said('pending'), NOTHING],
    ['a pending payment that failed books nothing', [ledger('failed', 'pay_1', 0)], said('pending'), NOTHING],
    ['a failed payment ends its session', [], said('failed'), books('failed', 0, {}, true)],
    ['a payment that failed before books nothing', [ledger('failed', 'pay_1', 0)], said('failed'), NOTHING],
    ['a failure of a payment that is booked books nothing', [CHARGE], said('failed'), NOTHING],
    ['a failure of a payment that is stray books nothing', [STRAY], said('failed', { rail_ref: 'pay_2' }), NOTHING],
    ['a session that ended is closed', [], said('closed'), { ...NOTHING, closesSession: true }],
    ['another session that ended closes none', [], said('closed', { rail_key: 'o:0' }), NOTHING],
    ['a refund of an unknown payment waits for it', [CHARGE], refund(40, { rail_ref: 'pay_2' }), PARK],
    ['a refund of what only failed waits', [ledger('failed', 'pay_1', 0)], refund(40), PARK],
    ['a refund is booked', [CHARGE], refund(40), refunds(40, '40')],
    ['a refund is booked to the last cent', [CHARGE], refund(100), refunds(100, '100')],
    ['a refund of a cent more is wrong', [CHARGE], refund(101), quarantine('amount')],
    ['a refund of nothing books nothing', [CHARGE], refund(0), NOTHING],
    ['a refund adds what is new', [CHARGE, refunded], refund(70), refunds(30, '70')],
    ['a refund that is known books nothing', [CHARGE, refunded], refund(40), NOTHING],
    [
      'a refund adds nothing for other payments',
      [CHARGE, ledger('stray_refund', 'pay_2#40', -40), own('pending', 'x', 5)],
      refund(70),
      refunds(70, '70'),
    ],
    [
      'a refund of stray money is stray',
      [CHARGE, STRAY],
      refund(40, { rail_ref: 'pay_2' }),
      books('stray_refund', -40, { rail_ref: 'pay_2#40' }),
    ],
    ['a refund does not count what a dispute took', [CHARGE, disputed], refund(40), refunds(40, '40')],
    ['a refund is at most what a dispute left', [CHARGE, disputed], refund(100), refunds(70, '100')],
    ['a lost dispute of an unknown payment waits for it', [CHARGE], lost({ rail_ref: 'pay_2' }), PARK],
    ['a lost dispute of what only failed waits', [ledger('failed', 'pay_1', 0)], lost(), PARK],
    ['a lost dispute takes its amount', [CHARGE], lost({ amount_cents: 30 }), refunds(30, 'dispute:dp_1', 'dispute')],
    ['a lost dispute takes the payment', [CHARGE], lost(), refunds(100, 'dispute:dp_1', 'dispute')],
    ['a lost dispute of a cent more is wrong', [CHARGE], lost({ amount_cents: 101 }), quarantine('amount')],
    ['a lost dispute that is known books nothing', [CHARGE, disputed], lost({ amount_cents: 30 }), NOTHING],
    [
      'a second dispute takes what the first left',
      [CHARGE, disputed],
      lost({ dispute: 'dp_2' }),
      refunds(70, 'dispute:dp_2', 'dispute'),
    ],
    [
      'a lost dispute takes what a refund left',
      [CHARGE, refunded, ledger('stray_refund', 'pay_2#9', -9), own('pending', 'x', 5)],
      lost(),
      refunds(60, 'dispute:dp_1', 'dispute'),
    ],
    ['a lost dispute of a refunded payment takes nothing', [CHARGE, own('refund', '100', -100)], lost(), NOTHING],
    [
      'a lost dispute takes what the rail says, also of what is booked as returned',
      [CHARGE, ledger('refund', 'pay_1#100', -100)],
      lost({ taken_cents: 60 }),
      books('stray_refund', -60, { rail_ref: 'pay_1#dispute:dp_1', cause: 'dispute' }),
    ],
    [
      'a lost dispute takes no more than the rail says',
      [CHARGE],
      lost({ taken_cents: 60 }),
      books('refund', -60, { rail_ref: 'pay_1#dispute:dp_1', cause: 'dispute' }),
    ],
    ['a lost dispute that took nothing books nothing', [CHARGE], lost({ taken_cents: 0 }), NOTHING],
    ['a lost dispute that took a cent more is wrong', [CHARGE], lost({ taken_cents: 101 }), quarantine('amount')],
    [
      'a lost dispute without a name is named by its event',
      [CHARGE],
      said('dispute_lost', { event_id: 'evt_9', rail_key: null }),
      refunds(100, 'dispute:evt_9', 'dispute'),
    ],
    [
      'a lost dispute of stray money is stray',
      [CHARGE, STRAY],
      lost({ rail_ref: 'pay_2' }),
      books('stray_refund', -100, { rail_ref: 'pay_2#dispute:dp_1', cause: 'dispute' }),
    ],
    [
      'a payment of another amount that failed ends its session',
      [],
      said('failed', { amount_cents: 99 }),
      books('failed', 0, {}, true),
    ],
    ['a payment of another amount that is pending books nothing', [], said('pending', { amount_cents: 99 }), NOTHING],
    [
      'a session of another amount is closed',
      [],
      said('closed', { amount_cents: 99 }),
      { ...NOTHING, closesSession: true },
    ],
    ['another currency is wrong', [CHARGE], refund(40, { currency: 'EUR' }), quarantine('currency')],
    [
      'a dispute in another currency is wrong too',
      [CHARGE],
      said('dispute_lost', { currency: 'EUR' }),
      quarantine('currency'),
    ],
    [
      'a refund in another currency of a payment that is not booked is nothing',
      [],
      refund(40, { currency: 'EUR' }),
      NOTHING,
    ],
    ['nor is its return', [], said('returned', { currency: 'EUR' }), NOTHING],
    ['nor its dispute', [], said('task', { currency: 'EUR' }), NOTHING],
    ['nor the end of that', [], said('dispute_won', { currency: 'EUR' }), NOTHING],
    ['what fails in another currency is wrong', [], said('failed', { currency: 'EUR' }), quarantine('currency')],
    ['an event without effect may have another currency', [], said('none', { currency: '' }), NOTHING],
  ])('%s', (_name, entries, one, decision) => {
    expect(decideEvent(order, entries, one)).toEqual(decision);
  });

  const OURS = own('refund', 'r1', -40);
  const OTHER = own('refund', 'r2', -10);
  const byTransfer = (cents: number) => ({ ...ledger('refund', 'pay_1#t1', -cents), rail: 'transfer' });
  const LOSS = own('refund', 'dispute:dp_1', -100);
  const back = (over: Partial<RailEvent> = {}) => said('returned', { rail_key: null, ...over });
  const won = (over: Partial<RailEvent> = {}) => said('dispute_won', { dispute: 'dp_1', rail_key: null, ...over });
  const open = (over: Partial<RailEvent> = {}) => said('task', { dispute: 'dp_1', rail_key: null, ...over });
  const ACCEPTED = [ledger('stray_charge', 'pay_1', 150), ledger('stray_accepted', 'pay_1', -100), CHARGE];
  type Now = Parameters<typeof decideEvent>[3];
  const returned = (cents: number, ...cameBack: string[]): Now => ({ cents, cameBack });

  it.each<[string, LedgerEntry[], RailEvent, Now, made: string[]]>([
    [
      'a repayment of ours that came back',
      [CHARGE, OURS, OTHER],
      back({ repayment: 'r1' }),
      null,
      ['refund_returned 40 r1'],
    ],
    ['one that is not named', [CHARGE, OURS], back(), null, []],
    ['one that is not booked', [CHARGE, OURS], back({ repayment: 'r9' }), null, []],
    ['one that the rail names', [CHARGE, OURS, OTHER], back(), returned(10, 'r1', 'r9'), ['refund_returned 40 r1']],
    [
      'one that is booked in parts',
      [CHARGE, OURS, own('refund', 'r1.2', -5)],
      back(),
      returned(0, 'r1'),
      ['refund_returned 40 r1', 'refund_returned 5 r1.2'],
    ],
    ['none that the rail still counts', [CHARGE, OURS, OTHER], back({ repayment: 'r1' }), returned(50), []],
    ['none by transfer, of which a rail knows nothing', [CHARGE, byTransfer(40)], back(), returned(0, 't1'), []],
    ['no less of ours than the rail names', [CHARGE, OURS], back(), returned(0), []],
    ['what the rail returned beyond the ledger', [CHARGE, OURS, OTHER], back(), returned(60), ['refund -10 60']],
    [
      'both, where one came back and another was made',
      [CHARGE, OURS, OTHER],
      back(),
      returned(30, 'r1'),
      ['refund_returned 40 r1', 'refund -20 30'],
    ],
    [
      'of refunds by hand the newest first, where the rail counts less',
      [CHARGE, refunded, own('refund', '70', -30)],
      back(),
      returned(20),
      ['refund_returned 30 70', 'refund_returned 20 40'],
    ],
    [
      'a part of one, also of one with a number',
      [CHARGE, refunded, own('refund', '70.12', -30)],
      back(),
      returned(45),
      ['refund_returned 25 70.12'],
    ],
    [
      'none of what has another name',
      [CHARGE, own('refund', '7x', -5), own('refund', 'x', -5), own('refund', 'r.2', -5)],
      back(),
      returned(0),
      [],
    ],
    ['no less by an event alone', [CHARGE, refunded], refund(10), null, []],
    [
      'the same total once more',
      [CHARGE, refunded, own('refund_returned', '40', 40)],
      refund(40),
      null,
      ['refund -40 40.2'],
    ],
    ['stray money first', ACCEPTED, refund(70), null, ['stray_refund -50 70', 'refund -20 70']],
    ['all that a payment brought', ACCEPTED, refund(150), null, ['stray_refund -50 150', 'refund -100 150']],
    ['nothing of another payment', [CHARGE, STRAY], refund(40), null, ['refund -40 40']],
    [
      'what a transfer repaid as well, as stray',
      [CHARGE, byTransfer(40)],
      refund(100),
      null,
      ['refund -60 100', 'stray_refund -40 100'],
    ],
    ['all of it as stray', [CHARGE, byTransfer(100)], refund(100), null, ['stray_refund -100 100']],
    [
      'that with the stray money',
      [...ACCEPTED, byTransfer(40)],
      refund(150),
      null,
      ['refund -60 150', 'stray_refund -90 150'],
    ],
    ['a dispute that is open', [CHARGE], open(), null, ['disputed 0 dispute:dp_1']],
    [
      'a dispute that is open, by its event',
      [CHARGE],
      open({ dispute: undefined as never, event_id: 'e' }),
      null,
      ['disputed 0 dispute:e'],
    ],
    ['another dispute', [CHARGE, own('disputed', 'dispute:dp_2')], open(), null, ['disputed 0 dispute:dp_1']],
    ['no dispute twice', [CHARGE, own('disputed', 'dispute:dp_1')], open(), null, []],
    [
      'the loss of one that was open',
      [CHARGE, own('disputed', 'dispute:dp_1')],
      lost(),
      null,
      ['refund -100 dispute:dp_1 dispute'],
    ],
    ['no loss of one that was won', [CHARGE, own('dispute_won', 'dispute:dp_1')], lost(), null, []],
    [
      'a loss after what the rail returned before',
      [CHARGE],
      lost(),
      returned(30),
      ['refund -30 30', 'refund -70 dispute:dp_1 dispute'],
    ],
    [
      'a loss of what a transfer repaid as well, as stray',
      [CHARGE, byTransfer(40)],
      lost(),
      null,
      ['refund -60 dispute:dp_1 dispute', 'stray_refund -40 dispute:dp_1 dispute'],
    ],
    [
      'a win with what the loss took',
      [CHARGE, LOSS, own('refund', 'dispute:dp_1.2', -5)],
      won(),
      null,
      [
        'refund_returned 100 dispute:dp_1 dispute',
        'refund_returned 5 dispute:dp_1.2 dispute',
        'dispute_won 0 dispute:dp_1',
      ],
    ],
    [
      'a win beside another loss',
      [CHARGE, own('refund', 'dispute:dp_2', -30), own('dispute_won', 'dispute:dp_2')],
      won(),
      null,
      ['dispute_won 0 dispute:dp_1'],
    ],
    ['a win of what was never lost', [CHARGE], won(), null, ['dispute_won 0 dispute:dp_1']],
    ['no win twice', [CHARGE, LOSS, own('dispute_won', 'dispute:dp_1')], won(), null, []],
    [
      'a win before what the rail returned since',
      [CHARGE, LOSS],
      won(),
      returned(40),
      ['refund_returned 100 dispute:dp_1 dispute', 'dispute_won 0 dispute:dp_1', 'refund -40 40'],
    ],
  ])('books %s', (_name, entries, one, now, made) => {
    const decision = decideEvent(order, entries, one, now);
    if (decision.kind !== 'apply') throw new Error(decision.kind);
    for (const { rail_ref } of decision.entries) expect(rail_ref).toMatch(/^pay_1#/);
    expect(
      decision.entries.map(({ kind, amount_cents: cents, rail_ref: ref, cause }) =>
        [kind, cents, ref.slice('pay_1#'.length), cause].join(' ').trimEnd(),
      ),
    ).toEqual(made);
    expect([decision.closesSession, decision.opensTask]).toEqual([false, one.kind === 'task' ? true : undefined]);
  });

  it.each<[string, LedgerEntry[], RailEvent, Now, object]>([
    ['more than was paid, by the rail', [CHARGE], back(), returned(101), quarantine('amount')],
    ['more than was paid, before a loss', [CHARGE], lost(), returned(101), quarantine('amount')],
    ['a loss of too much, after a refund', [CHARGE], lost({ amount_cents: 101 }), returned(9), quarantine('amount')],
    ['a win of an unknown payment', [], won(), null, PARK],
    ['a return of an unknown payment', [], back(), null, PARK],
  ])('books nothing of %s', (_name, entries, one, now, decision) => {
    expect(decideEvent(order, entries, one, now)).toEqual(decision);
  });

  it('asks a person to return a payment in another currency, and ends its session', () => {
    expect(decideEvent(order, [], said('charge', { currency: 'EUR' }))).toEqual({
      ...{ kind: 'apply', entries: [], closesSession: true, opensTask: true },
    });
  });

  it('waits for a repayment of ours that is at its rail, with refunds and lost disputes alone', () => {
    const asking = { ...order, refunding: 'refund' };
    expect(decideEvent(asking, [CHARGE], refund(40))).toEqual(PARK);
    expect(decideEvent(asking, [CHARGE], lost())).toEqual(PARK);
    expect(decideEvent(asking, [CHARGE], back())).toEqual(PARK);
    expect(decideEvent(asking, [CHARGE], won())).toEqual(PARK);
    expect(decideEvent(asking, [], said('charge'))).toEqual(books('charge', 100, {}, true));
    expect(decideEvent({ ...order, refunding: null }, [CHARGE], refund(0))).toEqual(NOTHING);
  });

  it('ends no session where there is none', () => {
    const unopened = { ...order, session: null };
    expect(decideEvent(unopened, [], said('charge', { rail_key: null }))).toEqual(books('charge', 100));
    expect(decideEvent(unopened, [], said('pending'))).toEqual(NOTHING);
    expect(decideEvent(unopened, [], said('pending', { rail_key: null }))).toEqual(books('pending', 0));
  });
});

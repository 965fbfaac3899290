import { describe, expect, it } from '@jest/globals';
import { aCredit, anEntry } from '../test/books.js';
import type { Credit } from './credit.js';
import type { LedgerEntry } from './order-state.js';
import {
  creditsPaidBy,
  dueCredits,
  excessOf,
  isNamedAlike,
  isOfPayment,
  keptRefunds,
  nextRefOf,
  refundNameOf,
  refundRefOf,
  refundRefOfReturn,
  repayableOf,
  returnOf,
  roomForCredits,
  strayByPayment,
} from './refund.js';

const SIGNED = anEntry('signed', 'order', 0);
const CHARGE = anEntry('charge', 'pi_1', 1_000);
const STRAY = anEntry('stray_charge', 'pi_2', 400);

const credit = (_id: string, cents: number, state: Credit['state'] = 'due'): Credit =>
  aCredit('a', cents, { _id, state });

describe('what can be repaid of an order (docs/domain/orders.md#refunds)', () => {
  it.each<[string, LedgerEntry[], open: { payment: string; amount_cents: number; stray: boolean }[], left: string[]]>([
    ['nothing before a payment', [SIGNED], [], []],
    ['the payment', [SIGNED, CHARGE], [], ['pi_1 1000']],
    [
      'what its refunds left',
      [CHARGE, anEntry('refund', 'pi_1#one', -200), anEntry('refund', 'pi_1#two', -300)],
      [],
      ['pi_1 500'],
    ],
    ['what a lost dispute left', [CHARGE, anEntry('refund', 'pi_1#dispute:dp_1', -900)], [], ['pi_1 100']],
    ['what open requests left', [CHARGE], [{ payment: 'pi_1', amount_cents: 999, stray: false }], ['pi_1 1']],
    [
      'each payment by itself, oldest first',
      [CHARGE, STRAY, anEntry('refund', 'pi_1#one', -200), anEntry('stray_refund', 'pi_2#one', -100)],
      [{ payment: 'pi_2', amount_cents: 50, stray: true }],
      ['pi_1 800', 'pi_2 250'],
    ],
    [
      'what came back of its refunds',
      [CHARGE, anEntry('refund', 'pi_1#one', -300), anEntry('refund', 'pi_1#two', -300)].concat(
        anEntry('refund_returned', 'pi_1#one', 300),
        anEntry('refund_returned', 'pi_1#two', 100),
        anEntry('refund_returned', 'pi_1#two~2', 50),
      ),
      [],
      ['pi_1 850'],
    ],
    [
      'nothing less for entries that return no money',
      [CHARGE, anEntry('pending', 'pi_1#one', 0), anEntry('failed', 'pi_1#x', 7)],
      [],
      ['pi_1 1000'],
    ],
    [
      'nothing less for a refund of a payment whose name begins alike',
      [CHARGE, anEntry('stray_charge', 'pi_11', 400), anEntry('stray_refund', 'pi_11#one', -400)],
      [],
      ['pi_1 1000', 'pi_11 0'],
    ],
  ])('is %s', (_name, entries, open, left) => {
    expect(repayableOf(entries, open).map((one) => `${one.payment} ${one.left}`)).toEqual(left);
  });

  it('leaves of one that was accepted each part its own', () => {
    const accepted = [anEntry('stray_charge', 'pi_1', 1_300), anEntry('stray_accepted', 'pi_1', -1_000), CHARGE];
    const other = [anEntry('stray_charge', 'pi_2', 9), anEntry('stray_accepted', 'pi_2', -9)];
    const asked = (stray: boolean, amount_cents: number) => ({ payment: 'pi_1', amount_cents, stray });
    expect(
      repayableOf([...accepted, ...other], [asked(true, 50), asked(false, 70)]).map(({ stray, left }) => [stray, left]),
    ).toEqual([
      [true, 250],
      [false, 930],
      [true, 0],
    ]);
  });

  it('tells a payment of the order from money that arrived beyond it', () => {
    expect(repayableOf([CHARGE, STRAY], []).map(({ stray }) => stray)).toEqual([false, true]);
  });

  it('is booked under a reference of its payment', () => {
    const ref = refundRefOf({ payment: 'pi_1', _id: 'r' });
    expect(isOfPayment({ rail_ref: ref }, 'pi_1')).toBe(true);
    expect(isOfPayment({ rail_ref: ref }, 'pi')).toBe(false);
  });
});

describe('the credits that wait to be paid out', () => {
  it.each<[string, Credit[], { credit_id: string | null }[], number]>([
    ['are none', [], [], 0],
    ['are those that are due', [credit('a', 100), credit('b', 30)], [], 130],
    ['leave out what is paid out or given up', [credit('a', 100, 'refunded'), credit('b', 30, 'waived')], [], 0],
    ['leave out what an open repayment pays out', [credit('a', 100), credit('b', 30)], [{ credit_id: 'a' }], 30],
    ['stay when an open repayment is for none', [credit('a', 100)], [{ credit_id: null }], 100],
  ])('%s', (_name, credits, openRefunds, cents) => {
    expect(dueCredits({ credits, openRefunds })).toBe(cents);
  });
});

describe('the room for new credits in the payment of an order', () => {
  const asked = (payment: string, amount_cents: number, credit_id: string | null) => ({
    stray: false,
    payment,
    amount_cents,
    credit_id,
  });
  it.each<[string, LedgerEntry[], Credit[], ReturnType<typeof asked>[], number]>([
    ['none before a payment', [SIGNED], [], [], 0],
    ['the payment', [CHARGE], [], [], 1_000],
    ['nothing of money beyond the total', [CHARGE, STRAY], [], [], 1_000],
    ['less what was repaid', [CHARGE, anEntry('refund', 'pi_1#one', -200)], [], [], 800],
    ['less what is due', [CHARGE], [credit('a', 100), credit('b', 30)], [], 870],
    [
      'less an open repayment and the credit that it pays, once',
      [CHARGE],
      [credit('a', 100)],
      [asked('pi_1', 100, 'a')],
      900,
    ],
    [
      'less an open repayment of no credit, and what is due',
      [CHARGE],
      [credit('a', 100)],
      [asked('pi_1', 50, null)],
      850,
    ],
  ])('is %s', (_name, entries, credits, openRefunds, cents) => {
    expect(roomForCredits(entries, credits, openRefunds)).toBe(cents);
  });
});

describe('a refund that comes back', () => {
  const REFUND = anEntry('refund', 'pi_1#one', -300);
  const STRAY_REFUND = anEntry('stray_refund', 'pi_1#one', -50);

  it('counts for the part that did not', () => {
    const entries = [CHARGE, REFUND, STRAY_REFUND, anEntry('refund', 'pi_1#two', -100)];
    const kept = (...back: LedgerEntry[]) =>
      keptRefunds([...entries, ...back]).map(({ kind, rail_ref, kept_cents: cents }) => `${kind} ${rail_ref} ${cents}`);
    expect(kept()).toEqual(['refund pi_1#one 300', 'stray_refund pi_1#one 50', 'refund pi_1#two 100']);
    expect(
      kept(
        anEntry('refund_returned', 'pi_1#one', 299),
        anEntry('stray_refund_returned', 'pi_1#one', 50),
        anEntry('refund_returned', 'pi_1#two', 60),
        anEntry('refund_returned', 'pi_1#two~2', 40),
      ),
    ).toEqual(['refund pi_1#one 1']);
  });

  it('has a counter-entry for each part, of its kind, line and reference', () => {
    const [refund, stray] = keptRefunds([{ ...REFUND, line_id: 'a' }, STRAY_REFUND]);
    if (refund === undefined || stray === undefined) throw new Error('both were kept');
    const first = anEntry('refund_returned', 'pi_1#one', 1);
    expect(returnOf(refund, 2, 'why', [])).toEqual({
      ...{ kind: 'refund_returned', amount_cents: 2, rail_ref: 'pi_1#one', cause: 'why', line_id: 'a' },
    });
    expect(returnOf(refund, 2, 'why', [first])).toMatchObject({ rail_ref: 'pi_1#one~2' });
    expect(returnOf(refund, 2, 'why', [first, { ...first, rail_ref: 'pi_1#one~2' }])).toMatchObject({
      rail_ref: 'pi_1#one~3',
    });
    expect(returnOf(stray, 2, 'why', [first])).toMatchObject({ kind: 'stray_refund_returned', rail_ref: 'pi_1#one' });
  });
});

describe('the reference of a refund', () => {
  it.each([
    [[], 'pi#5', 'pi#5'],
    [['pi#51', 'pi#5x'], 'pi#5', 'pi#5'],
    [['pi#5'], 'pi#5', 'pi#5.2'],
    [['pi#5~2'], 'pi#5', 'pi#5.2'],
    [['pi#5', 'pi#5', 'pi#5~2'], 'pi#5', 'pi#5.2'],
    [['pi#5', 'pi#5.2'], 'pi#5', 'pi#5.3'],
  ])('beside %j is one that nobody has: %s is %s', (known, name, ref) => {
    const entries = known.map((rail_ref) => ({ rail_ref }));
    expect(nextRefOf(entries, name)).toBe(ref);
  });

  it('names its refund, with or without a number, and whatever came back of it', () => {
    expect([isNamedAlike('pi#5', 'pi#5'), isNamedAlike('pi#5.2', 'pi#5'), isNamedAlike('pi#51', 'pi#5')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(['pi#5', 'pi#5.2', 'pi#5.12~3', 'pi#5~14'].map(refundNameOf)).toEqual(['pi#5', 'pi#5', 'pi#5', 'pi#5']);
    expect(['pi.2#5', 'pi#5.12'].map(refundNameOf)).toEqual(['pi.2#5', 'pi#5']);
    expect(['pi#5', 'pi#5~12', 'pi~1#5'].map(refundRefOfReturn)).toEqual(['pi#5', 'pi#5', 'pi~1#5']);
  });

  it('pays the credits that it names', () => {
    expect(creditsPaidBy({ credit_id: null })).toEqual([]);
    expect(creditsPaidBy({ credit_id: 'a' })).toEqual(['a']);
    expect(creditsPaidBy({ credit_id: null, credit_ids: ['a', 'b'] })).toEqual(['a', 'b']);
  });
});

describe('what went back twice of a payment', () => {
  const older = anEntry('stray_refund', 'pi_1#5', -500);
  const newer = anEntry('stray_refund', 'pi_1#6', -100);
  const entries = [CHARGE, STRAY, older, newer];

  it('is counted by payment, accepted and returned money included', () => {
    const accepted = [anEntry('charge', 'pi_2', 300), anEntry('stray_accepted', 'pi_2', -300)];
    const returned = [anEntry('stray_refund', 'pi_2#1', -150), anEntry('stray_refund_returned', 'pi_2#1', 20)];
    expect(strayByPayment([...entries, ...accepted, ...returned])).toEqual([
      { payment: 'pi_1', cents: -600 },
      { payment: 'pi_2', cents: -30 },
    ]);
    expect(strayByPayment([SIGNED])).toEqual([]);
  });

  it.each<[what: string, entries: LedgerEntry[], payment: string, excess: string[]]>([
    ['is of the newest first', entries, 'pi_1', ['pi_1#6 100', 'pi_1#5 500']],
    [
      'is of the newest alone where that covers it',
      [anEntry('stray_charge', 'pi_1', 550), older, newer],
      'pi_1',
      ['pi_1#6 50'],
    ],
    ['is less what came back', [...entries, anEntry('stray_refund_returned', 'pi_1#6', 100)], 'pi_1', ['pi_1#5 500']],
    ['is nothing where as much arrived', [anEntry('stray_charge', 'pi_1', 600), older, newer], 'pi_1', []],
    ['is nothing of a refund of the order', [CHARGE, anEntry('refund', 'pi_1#7', -900), newer], 'pi_1', ['pi_1#6 100']],
    ['is nothing of another payment', entries, 'pi_2', []],
    ['is nothing of a payment that nobody made', entries, 'pi_3', []],
  ])('%s', (_what, of, payment, excess) => {
    expect(excessOf(of, payment).map(({ rail_ref, kept_cents: cents }) => `${rail_ref} ${cents}`)).toEqual(excess);
  });
});

import { namedUuid } from '@cds/service/named-uuid';
import { describe, expect, it } from '@jest/globals';
import { AT, aCredit, anEntry, BY_STRIPE, LINES } from '../test/books.js';
import type { Credit } from './credit.js';
import type { LedgerEntry, LedgerKind } from './order-state.js';
import type { NewEntry } from './payment-event.js';
import { type Refund, TRANSFER } from './refund.js';
import { cameBackIn, followed, madeAsAsked, sumOfCredits, taken, withinRoom, withRepaidBy } from './returned.js';

type Of = Parameters<typeof followed>[0];
const order = (payment_state: Of['order']['payment_state'] = 'partially_refunded') =>
  ({ _id: 'order', ws: 'ws', payment_state, lines: LINES }) as unknown as Of['order'];
const byTransfer = { rail: TRANSFER, actor: 'op' };
const CHARGE = anEntry('charge', 'pi', 1_000);
const made = (kind: LedgerKind, rail_ref: string, amount_cents: number, cause = 'event'): NewEntry => ({
  ...{ kind, rail_ref, amount_cents, cause },
});
const credit = (_id: string, line_id: string, cents: number, over: Partial<Credit> = {}): Credit =>
  aCredit(line_id, cents, { _id, cause: 'cancelled', ...over });
const refunded = (repaid_by: string) => ({ state: 'refunded' as const, repaid_by });
const aRefund = (over: Partial<Refund> = {}): Refund => ({
  ...{ _id: 'one', ws: 'ws', order_id: 'order', rail: 'stripe', payment: 'pi', stray: false, amount_cents: 400 },
  ...{ line_id: null, credit_id: null, makes_credit: false, cause: 'team', actor: 'op', bank_reference: 'T' },
  ...{ state: 'open', problem: null, at: AT, ...over },
});
/** Each row as text, without what is null. */
const rowsOf = (rows: readonly (readonly unknown[])[]): string[] =>
  rows.map((row) => row.filter((value) => value != null).join(' '));
const shown = (entries: readonly NewEntry[]) =>
  rowsOf(entries.map(({ kind, rail_ref, amount_cents, cause, rail }) => [kind, rail_ref, amount_cents, cause, rail]));
const states = (credits: readonly Credit[]) =>
  rowsOf(credits.map(({ line_id, amount_cents, state, repaid_by }) => [line_id, amount_cents, state, repaid_by]));
const follow = (
  entries: readonly LedgerEntry[],
  of: readonly NewEntry[],
  {
    credits = [],
    openRefunds = [],
    state,
  }: { credits?: Credit[]; openRefunds?: Refund[]; state?: Of['order']['payment_state'] } = {},
) => followed({ order: order(state), entries, credits, openRefunds }, of, BY_STRIPE);

/** docs/domain/orders.md#refunds. */
describe('a credit that is taken', () => {
  it('in part leaves a rest of its own each time, also under one reference', () => {
    const one = credit('a', 'a', 1_000);
    const paid = taken([one], [one], 700, 're_1').credits;
    const came = taken(paid, paid.slice(0, 1), 200, 're_1').credits;
    expect(came.map(({ amount_cents: cents }) => cents)).toEqual([200, 300, 500]);
    expect(new Set(came.map(({ _id }) => _id)).size).toBe(3);
    expect(paid[1]?._id).toBe(namedUuid('credit', 'a', 're_1', '1'));
  });

  const two = [credit('a', 'a', 100), credit('b', 'b', 50)];
  it.each([
    [0, [], [100, 50]],
    [1, ['a'], [1, 50, 99]],
    [99, ['a'], [99, 50, 1]],
    [100, ['a'], [100, 50]],
    [101, ['a', 'b'], [100, 1, 49]],
    [150, ['a', 'b'], [100, 50]],
    [151, ['a', 'b'], [100, 50]],
  ])('of %s cents is the oldest first, and the last one is split', (cents, ids, amounts) => {
    const found = taken(two, two, cents, 're');
    expect([found.ids, found.credits.map(({ amount_cents }) => amount_cents)]).toEqual([ids, amounts]);
  });
});

describe('what went back by the rail itself', () => {
  it('pays the credits that are due, oldest first, and none that an open repayment pays', () => {
    const credits = [
      credit('1', 'a', 300),
      credit('2', 'a', 100),
      credit('3', 'b', 200),
      credit('4', 'b', 9, refunded('x')),
    ];
    const found = follow([CHARGE], [made('refund', 'pi#350', -350)], {
      credits,
      openRefunds: [aRefund({ credit_id: '1' })],
    });
    expect(shown(found.entries)).toEqual(['refund pi#350 -350 event']);
    expect(states(found.credits)).toEqual([
      'a 300 due',
      'a 100 refunded pi#350',
      'b 200 refunded pi#350',
      'b 9 refunded x',
    ]);
  });

  it('of stray money pays none', () => {
    const credits = [credit('1', 'a', 300)];
    const entries = [CHARGE, anEntry('stray_charge', 'pi_2', 350)];
    expect(follow(entries, [made('stray_refund', 'pi_2#350', -350)], { credits }).credits).toEqual(credits);
  });
});

describe('what came back', () => {
  const REFUND = anEntry('refund', 'pi#one', -400);
  const back = (cents = 400, cause = 'event') => [made('refund_returned', 'pi#one', cents, cause)];

  it('makes the credits due that it had paid', () => {
    const credits = [credit('1', 'a', 400, refunded('pi#one')), credit('2', 'b', 300, refunded('pi#two'))];
    const found = follow([CHARGE, REFUND], back(), { credits });
    expect(states(found.credits)).toEqual(['a 400 due', 'b 300 refunded pi#two']);
    expect(found.credits.map(({ came_back }) => came_back)).toEqual([true, undefined]);
    expect(found.credits[0]).not.toHaveProperty('repaid_by');
  });

  it('of one that came back in part before, by the reference of the refund', () => {
    const credits = [credit('1', 'a', 100, refunded('pi#one'))];
    const found = follow([CHARGE, REFUND], [made('refund_returned', 'pi#one~2', 100)], { credits });
    expect(states(found.credits)).toEqual(['a 100 due']);
  });

  it.each<[what: string, cents: number, credits: Credit[], owed: string[]]>([
    ['of the last line first', 200, [], ['b 200']],
    ['to the whole price', 300, [], ['b 300']],
    ['and then of the one before', 301, [], ['b 300', 'a 1']],
    [
      'at most what credits left of a price',
      400,
      [credit('1', 'b', 250, { state: 'refunded', repaid_by: 'x' })],
      ['b 50', 'a 350'],
    ],
    ['beside a credit that it had paid', 400, [credit('1', 'a', 150, refunded('pi#one'))], ['a 150', 'b 250']],
  ])('is owed as credits %s', (_what, cents, credits, owed) => {
    const found = follow([CHARGE, REFUND], back(cents), { credits }).credits.filter(({ state }) => state === 'due');
    expect(rowsOf(found.map(({ line_id, amount_cents }) => [line_id, amount_cents]))).toEqual(owed);
    expect(found.every(({ came_back }) => came_back === true)).toBe(true);
  });

  it('is owed by whoever booked it, under an id of the refund', () => {
    expect(follow([CHARGE, REFUND], back(200)).credits).toEqual([
      credit(namedUuid('credit', 'order', 'b', 'pi#one', '2'), 'b', 200, {
        cause: 'remedy',
        came_back: true,
        actor: 'rail:stripe',
      }),
    ]);
  });

  it.each<[state: Of['order']['payment_state'], owed: number]>([
    ['paid', 0],
    ['partially_refunded', 0],
    ['cancelled', 400],
    ['refunded', 400],
  ])('of a dispute is owed by an order that is over: %s', (state, owed) => {
    expect(sumOfCredits(follow([CHARGE, REFUND], back(400, 'dispute'), { state }).credits)).toBe(owed);
    const credits = [credit('1', 'a', 400, refunded('pi#one'))];
    expect(states(follow([CHARGE, REFUND], back(400, 'dispute'), { state, credits }).credits)).toEqual(['a 400 due']);
  });

  const CANCEL = 'cancel order 0 refunded';
  it.each<[what: string, entries: LedgerEntry[], of: NewEntry[], state: Of['order']['payment_state'], ends: boolean]>([
    [
      'ends an order that was refunded in full',
      [CHARGE, anEntry('refund', 'pi#one', -1_000)],
      back(1),
      'refunded',
      true,
    ],
    [
      'ends none that is cancelled already',
      [CHARGE, anEntry('cancel', 'order', 0), REFUND],
      back(1),
      'refunded',
      false,
    ],
    ['ends none that goes on', [CHARGE, REFUND], back(1), 'partially_refunded', false],
    ['ends none where nothing came back', [CHARGE, REFUND], [made('refund', 'pi#2', -1)], 'refunded', false],
    [
      'ends none where as much went back',
      [CHARGE, REFUND],
      [...back(5), made('refund', 'pi#2', -5)],
      'refunded',
      false,
    ],
    ['ends none by stray money', [CHARGE, REFUND], [made('stray_refund_returned', 'pi#one', 5)], 'refunded', false],
  ])('%s', (_what, entries, of, state, ends) => {
    expect(shown(follow(entries, of, { state }).entries).slice(of.length)).toEqual(ends ? [CANCEL] : []);
  });
});

describe('what went back twice', () => {
  const TRANSFERRED = anEntry('refund', 'pi#one', -400, byTransfer);
  const HAND = [anEntry('refund', 'pi#1000', -600), anEntry('stray_refund', 'pi#1000', -400)];
  const back = (cents: number) => [made('refund_returned', 'pi#one', cents, 'team')];

  it('takes the place of what came back, and the order owes nothing', () => {
    const found = follow([CHARGE, TRANSFERRED, ...HAND], back(400), { state: 'refunded' });
    expect(shown(found.entries).slice(1)).toEqual([
      'stray_refund_returned pi#1000 400 excess stripe',
      'refund pi#1000.2 -400 excess stripe',
    ]);
    expect(found.credits.map(({ state }) => state)).toEqual(['refunded', 'refunded']);
  });

  it('by a transfer is a refund by transfer once the rail’s comes back', () => {
    const excess = anEntry('stray_refund', 'pi#one', -400, byTransfer);
    const entries = [CHARGE, anEntry('refund', 'pi#1000', -1_000), excess];
    const found = follow(entries, [made('refund_returned', 'pi#1000', 1_000)], { state: 'refunded' });
    expect(shown(found.entries).slice(1)).toEqual([
      'stray_refund_returned pi#one 400 excess transfer',
      'refund pi#one.2 -400 excess transfer',
      'cancel order 0 refunded',
    ]);
    expect(found.entries.map(({ actor }) => actor)).toEqual([undefined, 'op', 'op', undefined]);
    expect(sumOfCredits(found.credits.filter(({ state }) => state === 'due'))).toBe(600);
  });

  it('takes as much place as there is, of the newest first, each under a name of its own', () => {
    const older = anEntry('stray_refund', 'pi#500', -100);
    const newer = anEntry('stray_refund', 'pi#500.2', -100);
    const entries = [CHARGE, anEntry('refund', 'pi#500', -600), TRANSFERRED, older, newer];
    const places = (cents: number) => shown(follow(entries, back(cents), { state: 'refunded' }).entries).slice(1);
    expect(places(50)).toEqual([
      'stray_refund_returned pi#500.2 50 excess stripe',
      'refund pi#500.3 -50 excess stripe',
    ]);
    expect(places(150)).toEqual([
      'stray_refund_returned pi#500.2 100 excess stripe',
      'refund pi#500.3 -100 excess stripe',
      'stray_refund_returned pi#500 50 excess stripe',
      'refund pi#500.4 -50 excess stripe',
    ]);
  });

  it('of another payment takes no place', () => {
    const other = [anEntry('stray_charge', 'pi_2', 10), anEntry('stray_refund', 'pi_2#1', -20)];
    expect(follow([CHARGE, TRANSFERRED, ...other], back(400)).entries).toEqual(back(400));
  });

  it('takes no place where nothing is too much', () => {
    const other = [anEntry('stray_charge', 'pi_2', 10), anEntry('stray_refund', 'pi_2#1', -10)];
    expect(follow([CHARGE, TRANSFERRED, ...other], back(400)).entries).toEqual(back(400));
  });
});

describe('a repayment of ours that was made', () => {
  const asAsked = (refund: Refund, entries: LedgerEntry[], credits: Credit[] = []) =>
    madeAsAsked({ order: order(), entries, credits, openRefunds: [] }, refund, { ...BY_STRIPE, ...byTransfer });

  it.each<[what: string, entries: LedgerEntry[], over: Partial<Refund>, made: string[]]>([
    ['is booked whole', [CHARGE], {}, ['refund -400']],
    ['is booked whole to the last cent', [CHARGE, anEntry('refund', 'pi#600', -600)], {}, ['refund -400']],
    [
      'is stray for a cent too much',
      [CHARGE, anEntry('refund', 'pi#601', -601)],
      {},
      ['refund -399', 'stray_refund -1'],
    ],
    ['is all stray without room', [CHARGE, anEntry('refund', 'pi#1000', -1_000)], {}, ['stray_refund -400']],
    ['of stray money is stray', [anEntry('stray_charge', 'pi', 500)], { stray: true }, ['stray_refund -400']],
    [
      'is of its own payment',
      [anEntry('stray_charge', 'pi', 500), anEntry('charge', 'pi_2', 500)],
      {},
      ['stray_refund -400'],
    ],
  ])('%s', (_what, entries, over, booked) => {
    const found = asAsked(aRefund({ line_id: 'a', ...over }), entries);
    expect(rowsOf(found.entries.map(({ kind, amount_cents }) => [kind, amount_cents]))).toEqual(booked);
    for (const one of found.entries) expect(one).toMatchObject({ rail_ref: 'pi#one', cause: 'team', line_id: 'a' });
  });

  it('pays its credits, and what it has no room for is paid by the rail’s refunds', () => {
    const credits = [credit('1', 'a', 300), credit('2', 'b', 100), credit('3', 'b', 50)];
    const refund = aRefund({ credit_ids: ['1', '2'] });
    expect(states(asAsked(refund, [CHARGE], credits).credits)).toEqual([
      'a 300 refunded pi#one',
      'b 100 refunded pi#one',
      'b 50 due',
    ]);
    const hand = anEntry('refund', 'pi#800', -800);
    expect(states(asAsked(refund, [CHARGE, hand], [credits[0], credits[1]] as Credit[]).credits)).toEqual([
      'a 200 refunded pi#one',
      'b 100 refunded pi#800',
      'a 100 refunded pi#800',
    ]);
  });
});

describe('the credits for which a payment has no room any more', () => {
  const hand = (ref: string, cents: number) => anEntry('refund', `pi#${ref}`, -cents);

  it('are paid by the newest refunds that somebody made at the rail, each to its own amount', () => {
    const entries = [CHARGE, hand('300', 300), hand('500', 200), anEntry('refund', 'pi#one', -400, { actor: 'op' })];
    const credits = [credit('1', 'a', 50, refunded('pi#500')), credit('2', 'a', 400)];
    expect(states(withinRoom(entries, credits, []))).toEqual([
      'a 50 refunded pi#500',
      'a 150 refunded pi#500',
      'a 150 refunded pi#300',
      'a 100 due',
    ]);
  });

  it('are paid by no refund that paid more than its amount', () => {
    const entries = [CHARGE, hand('500', 500), hand('800', 300), anEntry('refund', 'pi#one', -150, { actor: 'op' })];
    const credits = [credit('1', 'a', 350, refunded('pi#800')), credit('2', 'a', 150)];
    expect(states(withinRoom(entries, credits, []))).toEqual([
      'a 350 refunded pi#800',
      'a 100 refunded pi#500',
      'a 50 due',
    ]);
  });

  it.each([
    ['that have room', [CHARGE, hand('600', 600)], [credit('1', 'a', 400)], ['a 400 due']],
    ['to a cent', [CHARGE, hand('600', 600)], [credit('1', 'a', 401)], ['a 1 refunded pi#600', 'a 400 due']],
    ['where nobody returned it', [CHARGE], [credit('1', 'a', 1_400)], ['a 1400 due']],
    ['by no stray refund', [CHARGE, anEntry('stray_refund', 'pi#9', -9)], [credit('1', 'a', 1_001)], ['a 1001 due']],
  ] as [string, LedgerEntry[], Credit[], unknown[]][])('stay due %s', (_what, entries, credits, after) => {
    expect(states(withinRoom(entries, credits, []))).toEqual(after);
  });
});

describe('a credit of an older release', () => {
  it('names the repayment that paid it, once that is done', () => {
    const paid = (id: string) => ({ ...credit(id, 'a', 1), state: 'refunded' as const });
    const asked = [
      aRefund({ _id: 'open', credit_id: 'w' }),
      aRefund({ _id: 'one', credit_id: 'x', state: 'done' }),
      aRefund({ _id: 'two', credit_ids: ['y', 'z'], state: 'done' }),
    ];
    const known = { ...paid('z'), repaid_by: 'known' };
    expect(states(withRepaidBy([paid('w'), paid('x'), paid('y'), known, credit('x', 'a', 1)], asked))).toEqual([
      'a 1 refunded',
      'a 1 refunded pi#one',
      'a 1 refunded pi#two',
      'a 1 refunded known',
      'a 1 due',
    ]);
  });
});

describe('a repayment of ours', () => {
  it.each([
    ['came back by its counter-entry', 'refund_returned', 'pi#one', true],
    ['came back as stray money', 'stray_refund_returned', 'pi#one', true],
    ['came back once more', 'refund_returned', 'pi#one~2', true],
    ['came back by a part under a number', 'refund_returned', 'pi#one.2', true],
    ['did not by its own entry', 'refund', 'pi#one', false],
    ['did not by another one’s', 'refund_returned', 'pi#oneself', false],
  ] as const)('%s', (_what, kind, ref, isBack) => {
    const done = aRefund({ state: 'done' });
    expect(cameBackIn([made(kind, ref, 5)], [done])).toEqual(isBack ? [done] : []);
  });
});

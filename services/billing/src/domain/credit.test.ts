import { describe, expect, it } from '@jest/globals';
import { amountProblems, type Credit, creditedOf, creditsOfCancel, type SetAmount, uncredited } from './credit.js';

const LINES = [
  { line_id: 'a', price_cents: 700 },
  { line_id: 'b', price_cents: 300 },
];
const LINE = { line_id: 'a', price_cents: 700 };

const aCredit = (line_id: string, amount_cents: number, state: Credit['state'] = 'due'): Credit => ({
  _id: `${line_id}-${amount_cents}`,
  ws: 'ws',
  order_id: 'order',
  line_id,
  cause: 'remedy',
  amount_cents,
  state,
  note: null,
  actor: 'op',
  at: new Date('2026-11-21T12:00:00Z'),
});
const set = (line_id: string, amount_cents: number): SetAmount => ({ line_id, amount_cents, note: 'agreed' });

describe('the credits of a line (docs/domain/orders.md#credits)', () => {
  it.each<[string, Credit[], number]>([
    ['nothing', [], 0],
    ['a credit that is due', [aCredit('a', 200)], 200],
    ['a credit that is paid out', [aCredit('a', 200, 'refunded')], 200],
    ['nothing of a credit that was given up', [aCredit('a', 200, 'waived')], 0],
    ['nothing of another line', [aCredit('b', 200)], 0],
    ['several credits together', [aCredit('a', 200), aCredit('a', 100, 'refunded'), aCredit('a', 50, 'waived')], 300],
    ['the whole price', [aCredit('a', 700)], 700],
  ])('take %s of its price', (_name, credits, taken) => {
    expect(creditedOf('a', credits)).toBe(taken);
    expect(uncredited(LINE, credits)).toBe(700 - taken);
  });
});

describe('the amounts that a person set for the credits of a cancellation', () => {
  it.each<[string, SetAmount[], Credit[]]>([
    ['none', [], []],
    ['nothing for a line', [set('a', 0)], []],
    ['the price', [set('a', 700)], []],
    ['what another credit left of the price', [set('a', 500)], [aCredit('a', 200)]],
    ['one for each line', [set('b', 1), set('a', 1)], []],
  ])('may be %s', (_name, amounts, credits) => {
    expect(amountProblems(LINES, credits, amounts)).toEqual([]);
  });

  it.each<[string, SetAmount[], Credit[], string[]]>([
    ['a line of another order', [set('a', 1), set('x', 1)], [], ['credits.1.line_id']],
    ['a line twice', [set('a', 1), set('b', 1), set('a', 2)], [], ['credits.2.line_id']],
    ['more than the price', [set('a', 701)], [], ['credits.0.amount_cents']],
    ['more than is left of the price', [set('a', 501)], [aCredit('a', 200)], ['credits.0.amount_cents']],
    ['several of these', [set('x', 1), set('b', 301)], [], ['credits.0.line_id', 'credits.1.amount_cents']],
  ])('may not name %s', (_name, amounts, credits, fields) => {
    expect(amountProblems(LINES, credits, amounts).map(({ field }) => field)).toEqual(fields);
  });

  it('are refused with the most that they may be', () => {
    expect(amountProblems(LINES, [aCredit('a', 200)], [set('a', 501)])).toEqual([
      { field: 'credits.0.amount_cents', message: "must be at most 500, what is left of the line's price" },
    ]);
  });
});

describe('the credits of a cancellation after payment', () => {
  it.each<[string, Credit[], SetAmount[], number, [line: string, cents: number, note: string | null][]]>([
    [
      'are the prices',
      [],
      [],
      1_000,
      [
        ['a', 700, null],
        ['b', 300, null],
      ],
    ],
    [
      'are what other credits left of the prices',
      [aCredit('a', 200), aCredit('b', 100, 'waived')],
      [],
      800,
      [
        ['a', 500, null],
        ['b', 300, null],
      ],
    ],
    [
      'are what a person set, with the reason',
      [],
      [set('a', 250)],
      1_000,
      [
        ['a', 250, 'agreed'],
        ['b', 300, null],
      ],
    ],
    ['are none of 0 cents', [aCredit('b', 300)], [set('a', 0)], 700, []],
    [
      'are less for the last lines once a refund has returned money of some',
      [],
      [],
      800,
      [
        ['a', 700, null],
        ['b', 100, null],
      ],
    ],
    ['are none for the lines whose money is all returned', [], [], 600, [['a', 600, null]]],
    ['are none once all is returned', [], [], 0, []],
  ])('%s', (_name, credits, amounts, room, made) => {
    expect(creditsOfCancel(LINES, { credits, set: amounts, owed: new Map() }, room)).toEqual(
      made.map(([line_id, amount_cents, note]) => ({ line_id, cause: 'cancelled', amount_cents, note })),
    );
  });

  it.each<[string, [line: string, cents: number][], Credit[], SetAmount[], number, [line: string, cents: number][]]>([
    ['nothing for a live or proved line', [['a', 0]], [], [], 1_000, [['b', 300]]],
    [
      'half for a line near its day',
      [
        ['a', 350],
        ['b', 300],
      ],
      [],
      [],
      1_000,
      [
        ['a', 350],
        ['b', 300],
      ],
    ],
    ['at most what other credits left', [['a', 700]], [aCredit('a', 600), aCredit('b', 300)], [], 1_000, [['a', 100]]],
    ['what a person set all the same', [['a', 0]], [], [set('a', 250), set('b', 0)], 1_000, [['a', 250]]],
    ['nothing for a last line whose money a refund returned', [['a', 0]], [], [], 700, []],
    ['what a person set for such a line', [['a', 0]], [], [set('b', 200)], 700, [['b', 200]]],
  ])('are, of what lines owe, %s', (_name, owed, credits, amounts, room, made) => {
    const found = creditsOfCancel(LINES, { credits, set: amounts, owed: new Map(owed) }, room);
    expect(found.map(({ line_id, amount_cents }) => [line_id, amount_cents])).toEqual(made);
  });
});

import { namedUuid } from '@cds/service/named-uuid';
import { describe, expect, it } from '@jest/globals';
import { aCredit, LINES } from '../test/books.js';
import {
  amountProblems,
  type Credit,
  creditedOf,
  creditsOfCancel,
  creditsOfLine,
  creditsStillOwed,
  endedAs,
  type OwedCredit,
  type SetAmount,
  uncredited,
  withOwed,
} from './credit.js';

const LINE = { line_id: 'a', price_cents: 700 };

const credit = (line_id: string, cents: number, state: Credit['state'] = 'due'): Credit =>
  aCredit(line_id, cents, { state });
const set = (line_id: string, amount_cents: number): SetAmount => ({ line_id, amount_cents, note: 'agreed' });

/** Each row as text, without what is null. */
const rowsOf = (rows: readonly (readonly unknown[])[]): string[] =>
  rows.map((row) => row.filter((value) => value != null).join(' '));

describe('the credits of a line (docs/domain/orders.md#credits)', () => {
  it.each<[string, Credit[], number]>([
    ['nothing', [], 0],
    ['a credit that is due', [credit('a', 200)], 200],
    ['a credit that is paid out', [credit('a', 200, 'refunded')], 200],
    ['nothing of a credit that was given up', [credit('a', 200, 'waived')], 0],
    ['nothing of another line', [credit('b', 200)], 0],
    ['several credits together', [credit('a', 200), credit('a', 100, 'refunded'), credit('a', 50, 'waived')], 300],
    ['the whole price', [credit('a', 700)], 700],
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
    ['what another credit left of the price', [set('a', 500)], [credit('a', 200)]],
    ['one for each line', [set('b', 1), set('a', 1)], []],
  ])('may be %s', (_name, amounts, credits) => {
    expect(amountProblems(LINES, credits, amounts)).toEqual([]);
  });

  it.each<[string, SetAmount[], Credit[], string[]]>([
    ['a line of another order', [set('a', 1), set('x', 1)], [], ['credits.1.line_id']],
    ['a line twice', [set('a', 1), set('b', 1), set('a', 2)], [], ['credits.2.line_id']],
    ['more than the price', [set('a', 701)], [], ['credits.0.amount_cents']],
    ['more than is left of the price', [set('a', 501)], [credit('a', 200)], ['credits.0.amount_cents']],
    ['several of these', [set('x', 1), set('b', 301)], [], ['credits.0.line_id', 'credits.1.amount_cents']],
  ])('may not name %s', (_name, amounts, credits, fields) => {
    expect(amountProblems(LINES, credits, amounts).map(({ field }) => field)).toEqual(fields);
  });

  it('are refused with the most that they may be', () => {
    expect(amountProblems(LINES, [credit('a', 200)], [set('a', 501)])).toEqual([
      { field: 'credits.0.amount_cents', message: "must be at most 500, what is left of the line's price" },
    ]);
    expect(amountProblems(LINES, [], [set('x', 1)])).toMatchObject([{ message: 'must be a line of the order' }]);
    expect(amountProblems(LINES, [], [set('a', 1), set('a', 2)])).toMatchObject([
      { message: 'must name each line once' },
    ]);
  });
});

describe('the credits of a cancellation after payment', () => {
  it.each<[string, Credit[], SetAmount[], room: number, made: string[]]>([
    ['are the prices', [], [], 1_000, ['a 700', 'b 300']],
    [
      'are what other credits left of the prices',
      [credit('a', 200), credit('b', 100, 'waived')],
      [],
      800,
      ['a 500', 'b 300'],
    ],
    ['are what a person set, with the reason', [], [set('a', 250)], 1_000, ['a 250 agreed', 'b 300']],
    ['are none of 0 cents', [credit('b', 300)], [set('a', 0)], 700, []],
    ['are less for the last lines once a refund has returned money of some', [], [], 800, ['a 700', 'b 100']],
    [
      'are less for a line after one for which a person set more than the rule',
      [],
      [set('a', 700), set('b', 300)],
      800,
      ['a 700 agreed', 'b 100 agreed'],
    ],
    ['are none for the lines whose money is all returned', [], [], 600, ['a 600']],
    ['are none once all is returned', [], [], 0, []],
  ])('%s', (_name, credits, amounts, room, made) => {
    const found = creditsOfCancel(LINES, { credits, set: amounts, owed: new Map() }, room);
    expect(rowsOf(found.map(({ line_id, amount_cents, note }) => [line_id, amount_cents, note]))).toEqual(made);
    expect(found.filter(({ cause }) => cause !== 'cancelled')).toEqual([]);
  });

  it.each<[string, owed: Record<string, number>, Credit[], SetAmount[], room: number, made: string[]]>([
    ['nothing for a live or proved line', { a: 0 }, [], [], 1_000, ['b 300']],
    ['half for a line near its day', { a: 350, b: 300 }, [], [], 1_000, ['a 350', 'b 300']],
    ['at most what other credits left', { a: 700 }, [credit('a', 600), credit('b', 300)], [], 1_000, ['a 100']],
    ['what a person set all the same', { a: 0 }, [], [set('a', 250), set('b', 0)], 1_000, ['a 250']],
    ['nothing for a last line whose money a refund returned', { a: 0 }, [], [], 700, []],
    ['what a person set for such a line', { a: 0 }, [], [set('b', 200)], 700, ['b 200']],
  ])('are, of what lines owe, %s', (_name, owed, credits, amounts, room, made) => {
    const found = creditsOfCancel(LINES, { credits, set: amounts, owed: new Map(Object.entries(owed)) }, room);
    expect(rowsOf(found.map(({ line_id, amount_cents }) => [line_id, amount_cents]))).toEqual(made);
  });
});

const AT = '2026-11-22T10:00:00.000Z';
const owed = (cause: OwedCredit['cause'], amount_cents: number) => ({ cause, amount_cents, at: AT });
const ofCause = (line_id: string, cause: Credit['cause'], amount_cents: number, state?: Credit['state']): Credit => ({
  ...credit(line_id, amount_cents, state),
  cause,
});

describe('the credits that a line owes and that are not made yet', () => {
  const order = { ws: 'ws', order_id: 'order', line: LINE, lines: LINES };
  const made = (...args: [owed: ReturnType<typeof owed>[], credits: Credit[], room: number]) =>
    rowsOf(creditsOfLine(order, ...args).map(({ cause, amount_cents }) => [cause, amount_cents]));

  it('are due, by the rule, under an id of their line and cause', () => {
    expect(creditsOfLine(order, [owed('post_gone', 700)], [], 1_000)).toEqual([
      {
        _id: namedUuid('credit', 'order', 'a', 'post_gone'),
        ws: 'ws',
        order_id: 'order',
        line_id: 'a',
        cause: 'post_gone',
        amount_cents: 700,
        state: 'due',
        note: null,
        actor: 'system',
        at: new Date(AT),
      },
    ]);
  });

  it.each<[string, ReturnType<typeof owed>[], Credit[], room: number, made: string[]]>([
    ['none where nothing is owed', [], [], 1_000, []],
    ['once for each cause', [owed('post_gone', 100)], [ofCause('a', 'post_gone', 1, 'waived')], 1_000, []],
    [
      'beside a credit of another line',
      [owed('post_gone', 100)],
      [ofCause('b', 'post_gone', 100)],
      1_000,
      ['post_gone 100'],
    ],
    [
      'beside a credit of another cause',
      [owed('post_gone', 100)],
      [ofCause('a', 'dispute', 100)],
      1_000,
      ['post_gone 100'],
    ],
    [
      'at most what is left of the price',
      [owed('post_gone', 700)],
      [ofCause('a', 'dispute', 600)],
      1_000,
      ['post_gone 100'],
    ],
    ['none once the price is credited', [owed('post_gone', 1)], [ofCause('a', 'dispute', 700)], 1_000, []],
    ['at most what is left of the payment', [owed('post_gone', 700)], [], 250, ['post_gone 250']],
    ['none of a payment that is returned', [owed('post_gone', 700)], [], 0, []],
    [
      'together at most the price',
      [owed('dispute', 500), owed('cheaper', 300)],
      [],
      1_000,
      ['dispute 500', 'cheaper 200'],
    ],
    [
      'together at most what is left of the payment',
      [owed('dispute', 200), owed('cheaper', 200), owed('post_gone', 200)],
      [],
      300,
      ['dispute 200', 'cheaper 100'],
    ],
  ])('are %s', (_name, of, credits, room, credited) => {
    expect(made(of, credits, room)).toEqual(credited);
  });
});

describe('a line of an order of which a refund named no line', () => {
  const ofLine = (line: (typeof LINES)[number], credits: Credit[], room: number): number =>
    sumOf(creditsOfLine({ ws: 'ws', order_id: 'order', line, lines: LINES }, [owed('cancelled', 700)], credits, room));
  const ofCancel = (line: (typeof LINES)[number], credits: Credit[], room: number): number =>
    sumOf(
      creditsOfCancel(LINES, { credits, set: [], owed: new Map() }, room).filter((one) => one.line_id === line.line_id),
    );
  const sumOf = (made: { amount_cents: number }[]) => made.reduce((sum, one) => sum + one.amount_cents, 0);

  it.each([
    [1_000, 700, 300],
    [999, 700, 299],
    [701, 700, 1],
    [700, 700, 0],
    [250, 250, 0],
    [0, 0, 0],
    [-1, 0, 0],
  ])('is credited what is left of it, of %s cents, by its own cancellation as by its order’s', (room, a, b) => {
    expect(LINES.map((line) => ofLine(line, [], room))).toEqual([a, b]);
    expect(LINES.map((line) => ofCancel(line, [], room))).toEqual([a, b]);
  });

  it('is credited so beside other credits', () => {
    const credits = [credit('a', 600), credit('b', 100)];
    expect(LINES.map((line) => ofLine(line, credits, 150))).toEqual([100, 50]);
    expect(LINES.map((line) => ofCancel(line, credits, 150))).toEqual([100, 50]);
  });
});

describe('what the lines of an order owe', () => {
  const known: OwedCredit = { line_id: 'a', cause: 'dispute', amount_cents: 1, at: new Date(AT) };

  it.each<[string, OwedCredit]>([
    ['another line', { ...known, line_id: 'b' }],
    ['another cause', { ...known, cause: 'cheaper' }],
    ['another line and cause', { ...known, line_id: 'b', cause: 'cheaper' }],
  ])('is kept for %s too', (_name, more) => {
    expect(withOwed({ owed: [known] }, [known, more])).toEqual({ owed: [known, more] });
  });

  it('is kept once, and leaves an order that names it as it is', () => {
    const order = { owed: [known, { ...known, line_id: 'b' }] };
    expect(withOwed(order, [{ ...known, amount_cents: 2 }])).toBe(order);
    const unowed: { owed?: OwedCredit[] } = {};
    expect(withOwed(unowed, [])).toBe(unowed);
    expect(withOwed(unowed, [known])).toEqual({ owed: [known] });
  });
});

describe('the credits that had no room while a repayment held it', () => {
  const REFUSED = { refund: 'refund', at: new Date(AT) };
  const order = (...of: [line_id: string, cause: OwedCredit['cause'], cents: number][]) => ({
    _id: 'order',
    ws: 'ws',
    lines: LINES,
    owed: of.map(([line_id, cause, amount_cents]) => ({ line_id, cause, amount_cents, at: new Date(0) })),
  });

  it('are made when it is refused, under an id of the refusal', () => {
    expect(creditsStillOwed(order(['a', 'dispute', 200]), [], 1_000, REFUSED)).toEqual([
      {
        _id: namedUuid('credit', 'order', 'a', 'dispute', 'refund'),
        ws: 'ws',
        order_id: 'order',
        line_id: 'a',
        cause: 'dispute',
        amount_cents: 200,
        state: 'due',
        note: null,
        actor: 'system',
        at: new Date(AT),
      },
    ]);
  });

  it.each<[string, ReturnType<typeof order>['owed'], Credit[], room: number, made: string[]]>([
    ['none where nothing is owed', order().owed, [], 1_000, []],
    ['none of a line that the order has not', order(['x', 'dispute', 200]).owed, [], 1_000, []],
    [
      'the part that was not credited',
      order(['a', 'dispute', 200]).owed,
      [ofCause('a', 'dispute', 150)],
      1_000,
      ['a dispute 50'],
    ],
    [
      'none of what the team gave up',
      order(['a', 'dispute', 200]).owed,
      [ofCause('a', 'dispute', 200, 'waived')],
      1_000,
      [],
    ],
    [
      'whole beside credits of other lines and causes',
      order(['a', 'dispute', 200]).owed,
      [ofCause('b', 'dispute', 50), ofCause('a', 'cheaper', 60)],
      1_000,
      ['a dispute 200'],
    ],
    [
      'at most what is left of the price',
      order(['b', 'dispute', 300]).owed,
      [ofCause('b', 'cheaper', 60)],
      1_000,
      ['b dispute 240'],
    ],
    ['at most the room', order(['a', 'dispute', 300]).owed, [], 100, ['a dispute 100']],
    ['none without room', order(['a', 'dispute', 300]).owed, [], 0, []],
    [
      'together at most the room',
      order(['a', 'dispute', 200], ['b', 'dispute', 200], ['b', 'cheaper', 100]).owed,
      [],
      300,
      ['a dispute 200'],
    ],
    [
      'of a last line what its refund left',
      order(['a', 'dispute', 200], ['b', 'dispute', 200]).owed,
      [],
      800,
      ['a dispute 200', 'b dispute 100'],
    ],
    [
      'together at most the price',
      order(['b', 'dispute', 200], ['b', 'cheaper', 200]).owed,
      [],
      1_000,
      ['b dispute 200', 'b cheaper 100'],
    ],
  ])('are %s', (_name, of, credits, room, credited) => {
    const made = creditsStillOwed({ ...order(), owed: of }, credits, room, REFUSED);
    expect(rowsOf(made.map(({ line_id, cause, amount_cents }) => [line_id, cause, amount_cents]))).toEqual(credited);
  });

  it('are none of an order of before lines owed', () => {
    const { owed: _owed, ...before } = order();
    expect(creditsStillOwed(before, [], 1_000, REFUSED)).toEqual([]);
  });
});

describe('a credit that ends', () => {
  it('is the one that is named, and no other', () => {
    const credits = [credit('a', 1), credit('b', 2)];
    expect(endedAs(credits, 'a-1', 'refunded')).toEqual([credit('a', 1, 'refunded'), credit('b', 2)]);
    expect(endedAs(credits, 'b-2', 'waived')).toEqual([credit('a', 1), { ...credit('b', 2, 'waived') }]);
    expect(endedAs(credits, null, 'waived')).toEqual(credits);
  });
});

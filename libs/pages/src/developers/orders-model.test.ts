import { describe, expect, test } from '@jest/globals';
import { anOrder, aRefundedOrder, aWhollyRefundedOrder } from '../testing/order.js';
import { CSV_HEAD, cell, csvRows } from './orders-csv.js';
import {
  cancelModel,
  cancelRefused,
  orderModel,
  ordersFilter,
  ordersHref,
  ordersModel,
  ordersQuery,
} from './orders-model.js';

describe('the filter of orders', () => {
  const read = (query: string) => ordersFilter((name) => new URLSearchParams(query).get(name) ?? '');

  test('reads a state that it knows, and shows all for any other', () => {
    expect(read('state=paid&cursor=x')).toEqual({ state: 'paid', cursor: 'x' });
    expect(read('state=%22%3E')).toEqual({ state: null, cursor: '' });
  });

  test('is the same after a round through the address, and becomes the query of the operation', () => {
    const filter = { state: 'paid' as const, cursor: 'a b&c' };
    expect(read(ordersHref(filter).split('?')[1] ?? '')).toEqual(filter);
    expect(ordersHref(read(''))).toBe('/developers/orders');
    expect(ordersQuery(filter, 25)).toEqual({ limit: '25', payment_state: 'paid', cursor: 'a b&c' });
    expect(ordersQuery(read(''), 25)).toEqual({ limit: '25' });
  });
});

describe('the list of orders', () => {
  const modelOf = (filter = ordersFilter(() => ''), next: string | null = null) =>
    ordersModel(filter, { orders: [anOrder(), aRefundedOrder({ stray_cents: 500 })], next });

  test('shows state, total, what went back, and the payment page while there is something to pay', () => {
    expect(modelOf().rows).toMatchObject([
      {
        state: { kind: 'warn', label: 'Waiting for payment' },
        total: '$1,200.00',
        signed: '21 November 2026',
        back: [],
        number: 'CDS-1B7B1B7B1B',
        payUrl: expect.stringContaining('/pay/'),
        receiptUrl: null,
      },
      {
        state: { kind: 'good' },
        payUrl: null,
        receiptUrl: expect.stringMatching(/\/pay\/a{43}\/receipt$/),
        back: ['$400.00 refunded', '$400.00 credited', '$5.00 paid twice, to be returned'],
      },
    ]);
  });

  test('keeps its state on the next page and in the file, and begins a state at its newest order', () => {
    const model = modelOf({ state: 'paid', cursor: 'c1' }, 'c2');
    expect(model.pages).toEqual({
      first: '/developers/orders?state=paid',
      next: '/developers/orders?state=paid&cursor=c2',
    });
    expect(model.csvHref).toBe('/developers/orders.csv?state=paid');
    expect(model.states.items).toHaveLength(7);
    expect(model.states.items.filter(({ current }) => current)).toEqual([
      { href: '/developers/orders?state=paid', label: 'Paid', current: true },
    ]);
    expect(modelOf().pages).toEqual({ first: null, next: null });
  });
});

describe('the page of an order', () => {
  test('says where the money of each line is', () => {
    const model = orderModel(aRefundedOrder(), 'viewer');
    expect(model.figures).toEqual([
      { label: 'Total', value: '$1,200.00' },
      { label: 'Received', value: '$1,200.00' },
      { label: 'Pays for posts', value: '$400.00' },
      { label: 'Refunded', value: '$400.00' },
      { label: 'Credited to you', value: '$400.00' },
      { label: 'Not used', value: '$400.00' },
    ]);
    expect(model.lines.map(({ name, money }) => [name, money.label])).toEqual([
      ['Line 1', 'Pays for the post'],
      ['Line 2', 'Credited to you'],
      ['Line 3', 'Paid back'],
    ]);
    expect(model.refunds).toMatchObject([{ line: 'Line 3', amount: '$400.00' }]);
    expect(model.credits).toMatchObject([
      { line: 'Line 2', cause: 'The post was cancelled', state: { label: 'Owed to you' } },
      { line: 'Line 3', cause: 'The post went wrong', state: { label: 'Paid back' } },
    ]);
    expect(model.dates.map(({ label }) => label)).toEqual(['Signed', 'Paid']);
    const whole = orderModel(aWhollyRefundedOrder(), 'viewer');
    expect(whole.dates.map(({ label }) => label)).toEqual(['Signed', 'Paid', 'Refunded']);
  });

  test('a refund of no line is for the whole order', () => {
    const [refund] = aRefundedOrder().refunds;
    const refunds = refund === undefined ? [] : [{ ...refund, line_id: null }];
    expect(orderModel(aRefundedOrder({ refunds }), 'viewer').refunds[0]?.line).toBe('Whole order');
  });

  test.each([
    ['an owner cancels an unpaid order', 'owner' as const, {}, true],
    ['an admin too', 'admin' as const, {}, true],
    ['a member does not', 'member' as const, {}, false],
    ['nobody cancels what is on its way', 'owner' as const, { payment_state: 'processing' as const }, false],
    ['nobody cancels what is paid', 'owner' as const, { payment_state: 'paid' as const }, false],
  ])('%s', (_name, role, over, may) => {
    expect(orderModel(anOrder(over), role).order.cancelHref !== null).toBe(may);
  });

  test('somebody who sees no link learns who does', () => {
    expect(orderModel(anOrder({ payment: null }), 'member').order.asksAdmin).toBe(true);
    expect(orderModel(anOrder(), 'admin').order).toMatchObject({ asksAdmin: false, payBy: '5 December 2026' });
    expect(orderModel(aRefundedOrder(), 'member').order.asksAdmin).toBe(false);
  });

  test('a payment that is on its way keeps its page, and nothing is said to be due by a day', () => {
    const { payUrl, payBy, asksAdmin } = orderModel(anOrder({ payment_state: 'processing' }), 'owner').order;
    expect({ payUrl, payBy, asksAdmin }).toEqual({
      payUrl: expect.stringContaining('/pay/'),
      payBy: null,
      asksAdmin: false,
    });
  });
});

describe('the cancellation of an order', () => {
  test.each([
    ['order_paid', 'is paid'],
    ['order_processing', 'on its way'],
    ['bad_state', 'cancelled already'],
  ])('%s says what is so and what to do', (reason, words) => {
    const shown = cancelRefused({ code: 'conflict', message: 'm', details: { reason } });
    expect(shown).toEqual({ problems: [], notice: expect.stringContaining(words) });
  });

  test('a missing reason is shown at its field, with what was typed', () => {
    const details = { problems: [{ field: 'reason', message: 'must have 1 to 500 characters' }] };
    const shown = cancelRefused({ code: 'bad_request', message: 'm', details });
    expect(cancelModel(anOrder(), 'typed', shown)).toMatchObject({
      open: true,
      notice: null,
      reason: { value: 'typed', error: 'Must have 1 to 500 characters.' },
    });
  });

  test('has no form once the order does not wait for its payment', () => {
    expect(cancelModel(aRefundedOrder(), '', { problems: [], notice: null }).open).toBe(false);
  });
});

describe('the file of orders', () => {
  test.each([
    ['plain text', 'Acme', 'Acme'],
    ['a comma', 'Acme, launch', '"Acme, launch"'],
    ['quotes', 'the "one"', '"the ""one"""'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['a formula', '=1+1', "'=1+1"],
    ['a formula with a comma', '=HYPERLINK("x",1)', `"'=HYPERLINK(""x"",1)"`],
    ['plus, minus and at', '+1', "'+1"],
    ['minus', '-1', "'-1"],
    ['at', '@x', "'@x"],
    ['a tab', '\tx', "'\tx"],
    ['a carriage return', '\rx', `"'\rx"`],
    ['a full-width formula', '＝1+1', "'＝1+1"],
    ['full-width plus', '＋1', "'＋1"],
    ['full-width minus', '－1', "'－1"],
    ['full-width at', '＠x', "'＠x"],
    ['a formula after a space', ' =1', "' =1"],
    ['a formula after a semicolon', 'Launch; =1;+2', "Launch;' =1;'+2"],
    ['a sign that does not begin', 'a=1', 'a=1'],
    ['nothing', '', ''],
  ])('%s', (_name, text, written) => {
    expect(cell(text)).toBe(written);
  });

  test('has a head and one row per order, each as long as the head', () => {
    const [row, end] = csvRows([aRefundedOrder({ campaign: 'Acme' })]).split('\r\n');
    expect(end).toBe('');
    expect(row?.split(',').length).toBe(CSV_HEAD.split(',').length);
    expect(row).toBe(
      'CDS-1B7B1B7B1B,0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b,Acme,5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d,7f3c2b1a-5d4e-4c3b-9a2b-1c0d9e8f7a6b,partially_refunded,2026-11-21T14:03:09.000Z,2026-11-22T10:00:00.000Z,,,3,USD,1200.00,1200.00,400.00,400.00,400.00,0.00,http://app.test/pay/' +
        `${'a'.repeat(43)}/receipt`,
    );
    expect(csvRows([anOrder()])).toMatch(/,0\.00,\r\n$/);
    expect(csvRows([])).toBe('');
    expect(CSV_HEAD.startsWith('\uFEFForder_number,')).toBe(true);
  });
});

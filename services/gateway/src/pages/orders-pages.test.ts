import { AppError, conflict, notFound } from '@cds/contracts';
import { anOrder, aRefundedOrder } from '@cds/pages/testing';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeBrand } from '../test/edge-app.js';
import { type FormBrowser, formBrowser } from '../test/forms.js';
import { signIn } from '../test/people.js';
import { testEdge } from '../test/suite.js';

const PATH = '/developers/orders';
const ORDER = `${PATH}/${anOrder().id}`;

describe('orders in the Developers area (docs/domain/orders.md#orders-for-brands)', () => {
  const edge = testEdge('gateway_orders');
  let owner: FormBrowser;
  let viewer: FormBrowser;
  beforeAll(async () => {
    const brand = await makeBrand(edge);
    owner = formBrowser(edge.url, (await signIn(edge, brand, 'owner')).cookie);
    viewer = formBrowser(edge.url, (await signIn(edge, brand, 'viewer')).cookie);
  });
  beforeEach(() => {
    edge.answer('orders_list', () => ({ orders: [anOrder({ campaign: 'Acme <b>' }), aRefundedOrder()], next: null }));
    edge.answer('order_get', () => anOrder());
  });

  const lastInput = (name: string) => edge.sent.findLast((one) => one.name === name)?.input;

  test('the list shows each order, for every role, and asks for one state in pages', async () => {
    const { status, text } = await viewer.get(PATH);
    expect(status).toBe(200);
    for (const words of [
      'Acme &lt;b&gt;',
      'Waiting for payment',
      '$1,200.00',
      `href="${anOrder().payment?.url}"`,
      '$400.00 refunded',
      anOrder().order_number,
      `href="${aRefundedOrder().receipt_url}"`,
    ])
      expect(text).toContain(words);
    expect(lastInput('orders_list')).toEqual({ limit: 25 });

    edge.answer('orders_list', () => ({ orders: [anOrder()], next: 'c2' }));
    const filtered = await viewer.get(`${PATH}?state=unpaid&cursor=c1`);
    expect(lastInput('orders_list')).toEqual({ limit: 25, payment_state: 'unpaid', cursor: 'c1' });
    expect(filtered.text).toContain(`href="${PATH}?state=unpaid&amp;cursor=c2"`);
  });

  test('without orders it says when the first appears', async () => {
    edge.answer('orders_list', () => ({ orders: [], next: null }));
    expect((await viewer.get(PATH)).text).toContain('No orders yet');
    expect((await viewer.get(`${PATH}?state=paid`)).text).toContain('No such orders');
  });

  test('nobody sees orders without signing in', async () => {
    const stranger = formBrowser(edge.url);
    for (const path of [PATH, `${PATH}.csv`, ORDER, `${ORDER}/cancel`]) {
      const answer = await stranger.get(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in']);
    }
  });

  test('an order shows its lines, refunds and credits', async () => {
    edge.answer('order_get', () => aRefundedOrder());
    const { text } = await viewer.get(ORDER);
    for (const words of ['Line 3', 'Paid back', 'Owed to you', 'Refunds', 'Credits', anOrder().order_number])
      expect(text).toContain(words);
    expect(text).toContain(`href="${aRefundedOrder().receipt_url}">Receipt</a>`);
    expect(text).not.toContain(`${ORDER}/cancel`);
    expect(lastInput('order_get')).toEqual({ id: anOrder().id });
  });

  test('an order whose link the reader may not see leads to no receipt', async () => {
    const hidden = aRefundedOrder({ receipt_url: null });
    edge.answer('order_get', () => hidden);
    edge.answer('orders_list', () => ({ orders: [hidden], next: null }));
    for (const path of [PATH, ORDER, `${PATH}.csv`]) expect((await viewer.get(path)).text).not.toContain('/receipt');
  });

  test('an unknown order is a 404 page', async () => {
    edge.answer('order_get', () => {
      throw notFound('order');
    });
    const answer = await owner.get(ORDER);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  describe('the cancellation', () => {
    test('asks for a reason, sends it once, and leads back to the order', async () => {
      edge.answer('order_cancel', () => anOrder({ payment_state: 'cancelled', payment: null }));
      const answer = await owner.submit(`${ORDER}/cancel`, `${ORDER}/cancel`, { reason: ' Launch moved ' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${ORDER}?done=order-cancelled`]);
      expect(lastInput('order_cancel')).toEqual({ id: anOrder().id, reason: 'Launch moved' });
      expect((await owner.get(`${ORDER}?done=order-cancelled`)).text).toContain('The order is cancelled.');
    });

    test('without a reason stays where it is, without a call', async () => {
      const before = edge.sent.filter(({ name }) => name === 'order_cancel').length;
      const answer = await owner.submit(`${ORDER}/cancel`, `${ORDER}/cancel`, { reason: '  ' });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).toContain('href="#reason"');
      expect(edge.sent.filter(({ name }) => name === 'order_cancel')).toHaveLength(before);
    });

    test.each([
      ['order_paid', 'This order is paid'],
      ['order_processing', 'A payment for this order is on its way'],
      ['bad_state', 'This order is cancelled already'],
    ] as const)('%s is said in plain words, with the reason kept', async (reason, words) => {
      edge.answer('order_cancel', () => {
        throw conflict(reason, 'm');
      });
      const answer = await owner.submit(`${ORDER}/cancel`, `${ORDER}/cancel`, { reason: 'Launch moved' });
      expect(answer.status).toBe(409);
      expect(answer.text).toContain(words);
      expect(answer.text).toContain('Launch moved</textarea>');
    });

    test('is for admins and owners', async () => {
      expect((await viewer.get(ORDER)).text).not.toContain(`${ORDER}/cancel`);
      const answer = await viewer.get(`${ORDER}/cancel`);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('Only an admin or owner');
    });
  });

  describe('the file', () => {
    test('holds every page of the list, one row per order', async () => {
      edge.answer('orders_list', (_ctx, { cursor }) =>
        cursor === undefined
          ? { orders: [anOrder({ campaign: '=1+1' })], next: 'c2' }
          : { orders: [aRefundedOrder({ campaign: 'a, "b"' })], next: null },
      );
      const answer = await viewer.get(`${PATH}.csv?state=paid`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const rows = answer.text.split('\r\n');
      expect(rows).toHaveLength(4);
      expect(rows[0]).toMatch(/^order_number,order_id,campaign,/);
      expect(rows[1]).toContain(",'=1+1,");
      expect(rows[2]).toContain(',"a, ""b""",');
      expect(lastInput('orders_list')).toEqual({ limit: 100, payment_state: 'paid', cursor: 'c2' });
    });

    test('takes the time that it needs: each page of the list has as much as any read', async () => {
      const left: number[] = [];
      edge.answer('orders_list', ({ deadline }, { cursor = '0' }) => {
        left.push(deadline.remainingMs());
        for (const until = performance.now() + 40; performance.now() < until; );
        return { orders: [anOrder()], next: cursor === '24' ? null : String(Number(cursor) + 1) };
      });
      expect((await viewer.get(`${PATH}.csv`)).text.split('\r\n')).toHaveLength(27);
      expect(left).toHaveLength(25);
      expect(left.at(-1)).toBeGreaterThan(9_500);
    });

    test('that cannot begin is a page, and one that breaks off never looks whole', async () => {
      edge.answer('orders_list', () => {
        throw new AppError('unavailable', 'm');
      });
      const refused = await viewer.get(`${PATH}.csv`);
      expect([refused.status, refused.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);

      edge.answer('orders_list', (_ctx, { cursor }) => {
        if (cursor !== undefined) throw new AppError('unavailable', 'm');
        return { orders: [anOrder()], next: 'c2' };
      });
      await expect(viewer.get(`${PATH}.csv`)).rejects.toThrow();
    });
  });
});

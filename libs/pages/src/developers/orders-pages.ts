import { Readable } from 'node:stream';
import { AppError, type BrandOrder, hasRole, type Output } from '@cds/contracts';
import { need } from '../foundation/need.js';
import { page, seeOther } from '../foundation/page.js';
import { NOTHING_WRONG, type Shown } from '../foundation/problems.js';
import { type SessionVisit, sessionForm, sessionPage } from '../foundation/session.js';
import type { Answer, Route } from '../port.js';
import { doneOf } from './keys-page.js';
import { CSV_HEAD, csvRows } from './orders-csv.js';
import {
  cancelModel,
  cancelRefused,
  type OrdersFilter,
  orderModel,
  ordersFilter,
  ordersModel,
  ordersQuery,
} from './orders-model.js';

const PATH = '/developers/orders';

/** How many orders a page of the list shows, and how many one call of the export reads. */
const ROWS = 25;
const ROWS_OF_EXPORT = 100;

const orderOf = async (visit: SessionVisit): Promise<BrandOrder> =>
  need(await visit.call('order_get', { params: { id: visit.params['id'] } }));

const listPage = async (visit: SessionVisit): Promise<Answer> => {
  const filter = ordersFilter(visit.request.query);
  const listed = need(await visit.call('orders_list', { query: ordersQuery(filter, ROWS) }));
  return page('developers/orders', { ...visit.frame('Orders', PATH), ...ordersModel(filter, listed) });
};

const orderPage = async (visit: SessionVisit): Promise<Answer> => {
  const order = await orderOf(visit);
  return page('developers/order', {
    ...visit.frame(order.campaign, PATH),
    ...orderModel(order, visit.me.role),
    done: doneOf(visit),
  });
};

const cancelPage = async (visit: SessionVisit, reason: string, shown: Shown, status = 200): Promise<Answer> => {
  if (!hasRole(visit.me.role, 'admin'))
    throw new AppError('forbidden', 'Only an admin or owner of your company cancels orders. Ask one of them.');
  const order = await orderOf(visit);
  const action = visit.request.path;
  return page(
    'developers/order-cancel',
    {
      ...visit.frame('Cancel an order', PATH),
      ...cancelModel(order, reason, shown),
      width: 'narrow',
      action,
      token: visit.token(action),
    },
    { status },
  );
};

/** Each page has the time of a read: a file may take as long as its reader and the number of orders want. */
const exportedPage = async (visit: SessionVisit, filter: OrdersFilter): Promise<Output<'orders_list'>> => {
  visit.request.readOn();
  return need(await visit.call('orders_list', { query: ordersQuery(filter, ROWS_OF_EXPORT) }));
};

/** Reads the orders page by page while the file is sent, so that no export is held in memory. */
async function* csvOf(visit: SessionVisit, filter: OrdersFilter): AsyncGenerator<string> {
  yield CSV_HEAD;
  for (let cursor: string | null = ''; cursor !== null; ) {
    // A refusal once the file has begun cuts the connection, so that half a file never looks whole.
    const listed = await exportedPage(visit, { ...filter, cursor });
    yield csvRows(listed.orders);
    cursor = listed.next;
  }
}

const exportFile = async (visit: SessionVisit): Promise<Answer> => {
  const filter = ordersFilter(visit.request.query);
  const rows = csvOf(visit, filter);
  // Head and first page are read before the answer begins: their refusal is a page.
  const first = [await rows.next(), await rows.next()].map(({ value }) => String(value ?? ''));
  const all = async function* (): AsyncGenerator<string> {
    yield* first;
    yield* rows;
  };
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="orders.csv"',
      'X-Robots-Tag': 'noindex, nofollow',
    },
    body: Readable.from(all()),
    code: 'ok',
  };
};

/** The orders of a workspace (docs/domain/orders.md#orders-for-brands). */
export const ordersRoutes: readonly Route[] = [
  { path: PATH, method: 'GET', target: sessionPage(listPage) },
  { path: `${PATH}.csv`, method: 'GET', target: sessionPage(exportFile) },
  { path: `${PATH}/{id}`, method: 'GET', target: sessionPage(orderPage) },
  {
    path: `${PATH}/{id}/cancel`,
    method: 'GET',
    target: sessionPage((visit) => cancelPage(visit, '', NOTHING_WRONG)),
  },
  {
    path: `${PATH}/{id}/cancel`,
    method: 'POST',
    target: sessionForm(async (visit, form, key) => {
      const reason = form.one('reason').trim();
      const done = await visit.call('order_cancel', { params: { id: visit.params['id'] }, body: { reason }, key });
      if (done.ok) return seeOther(`${PATH}/${done.value.id}?done=order-cancelled`);
      if (done.status === 404 || done.status === 403) need(done);
      return cancelPage(visit, reason, cancelRefused(done.error), done.status);
    }),
  },
];

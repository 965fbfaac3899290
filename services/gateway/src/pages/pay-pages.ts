import { AppError, notFound, type PayPage } from '@cds/contracts';
import { type Client, type Ctx, publicError } from '@cds/service';
import type { Door } from '../edge/lifecycle.js';
import { type Answer, headersOf } from '../edge/http/answer.js';
import type { Caller } from '../edge/steps/caller.js';
import { contextOf, LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Exchange } from '../edge/http/exchange.js';
import type { Route } from '../edge/routes.js';
import { counted } from './public-endpoint.js';
import { errorPage } from './error-page.js';
import { readForm } from './form.js';
import { page, pageHeaders } from './page.js';
import { day, money, stateWords } from './format.js';

/** The operations of billing behind the pages. */
export type PayCalls = Client<'pay_page' | 'pay_checkout' | 'pay_rail' | 'pay_sandbox'>;

/** The form of a link's token (domain 3-orders 6.3); another is unknown without asking. */
const TOKEN = /^[0-9A-Za-z]{43}$/;

const BUTTONS = [
  { name: 'pay', label: 'Pay' },
  { name: 'decline', label: 'Decline' },
  { name: 'delay', label: 'Pay with delay' },
  { name: 'expire', label: 'Let it expire' },
] as const;

const RAIL_NAMES = { checkout: 'card', invoice: 'invoice' } as const;

const RAIL_AWAY =
  'The payment service does not answer at this moment. Nothing was charged; press Pay again in a minute.';

const facts = (token: string, shown: PayPage) => ({
  token,
  formToken: shown.form_token,
  company: shown.company,
  campaign: shown.campaign,
  posts: shown.posts,
  total: money(shown.total_cents, shown.currency),
  state: stateWords(shown.payment_state),
  sandbox: shown.sandbox,
});

const payPage = (token: string, shown: PayPage, notice: string | null, status = 200): Answer => {
  const open = shown.payment_state === 'unpaid' && shown.options.length > 0;
  const total = money(shown.total_cents, shown.currency);
  const invoice = shown.options.find((option) => option.rail === 'invoice');
  const data = {
    ...facts(token, shown),
    title: `${shown.company ?? shown.campaign}: ${stateWords(shown.payment_state)}`,
    heading: shown.company ?? 'Your order',
    notice,
    payBy: shown.payment_state === 'unpaid' ? day(shown.pay_by) : null,
    canPay: open && shown.rail === 'checkout',
    payLabel: `Pay ${total}`,
    byInvoice: open && shown.rail === 'invoice',
    invoiceClears: invoice?.clears ?? '',
    otherRails: open
      ? shown.options
          .filter((option) => option.rail !== shown.rail)
          .map((option) => ({ rail: option.rail, name: RAIL_NAMES[option.rail] }))
      : [],
  };
  return page('pay', data, { status, code: status === 200 ? 'ok' : 'unavailable' });
};

const sandboxPage = (token: string, shown: PayPage): Answer =>
  page('sandbox', {
    ...facts(token, shown),
    title: 'Sandbox checkout',
    buttons: shown.payment_state === 'unpaid' && shown.session !== null ? BUTTONS : [],
    closed:
      shown.payment_state === 'unpaid'
        ? 'No checkout is open. Press Pay on the payment page first.'
        : `There is nothing to pay here: ${stateWords(shown.payment_state).toLowerCase()}.`,
  });

const seeOther = (url: string): Answer => ({
  status: 303,
  headers: { ...pageHeaders(false), Location: url },
  body: '',
  code: 'ok',
});

type Handler = (ctx: Ctx, token: string, field: (name: string) => string) => Promise<Answer>;

/** The pay pages (domain 3-orders 6.3; 4-doors 6): rendered here, without scripts, from billing's facts. */
export const payRoutes = (edge: Edge, billing: PayCalls): Route<Door>[] => {
  const contextFor = async (exchange: Exchange, caller: Caller): Promise<Ctx> =>
    contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.write);

  const door = (handle: Handler, takesForm: boolean): Door =>
    counted(
      edge,
      async (exchange, params, caller) => {
        const token = params['token'] ?? '';
        try {
          if (!TOKEN.test(token)) throw notFound('payment link');
          const field = takesForm ? await readForm(exchange) : () => '';
          return await handle(await contextFor(exchange, caller), token, field);
        } catch (error) {
          const { body, status } = publicError(error, edge.log, 'pay');
          const back = body.code === 'not_found' || !TOKEN.test(token) ? {} : { back: `/pay/${token}` };
          const headers = error instanceof AppError ? headersOf(error) : {};
          return errorPage(body, status, headers, { ...back, requestId: exchange.requestId });
        }
      },
      LIMIT_MS.write,
    );

  const show: Handler = async (ctx, token) => payPage(token, await billing.pay_page(ctx, { token }), null);

  const checkout: Handler = async (ctx, token, field) => {
    try {
      return seeOther((await billing.pay_checkout(ctx, { token, form_token: field('form_token') })).url);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      return {
        ...payPage(token, await billing.pay_page(ctx, { token }), RAIL_AWAY, 503),
        headers: { ...pageHeaders(false), 'Retry-After': '60' },
      };
    }
  };

  const changeRail: Handler = async (ctx, token, field) => {
    await billing.pay_rail(ctx, { token, form_token: field('form_token'), rail: field('rail') });
    return seeOther(`/pay/${token}`);
  };

  const showSandbox: Handler = async (ctx, token) => {
    const shown = await billing.pay_page(ctx, { token });
    if (!shown.sandbox) throw notFound('payment link');
    return sandboxPage(token, shown);
  };

  const pressSandbox: Handler = async (ctx, token, field) => {
    await billing.pay_sandbox(ctx, { token, form_token: field('form_token'), button: field('button') });
    return seeOther(`/pay/${token}`);
  };

  return [
    { path: '/pay/{token}', method: 'GET', target: door(show, false) },
    { path: '/pay/{token}/checkout', method: 'POST', target: door(checkout, true) },
    { path: '/pay/{token}/rail', method: 'POST', target: door(changeRail, true) },
    { path: '/pay/{token}/sandbox', method: 'GET', target: door(showSandbox, false) },
    { path: '/pay/{token}/sandbox', method: 'POST', target: door(pressSandbox, true) },
  ];
};

import { AppError, notFound, type PayPage } from '@cds/contracts';
import { type Client, type Ctx, publicError } from '@cds/service';
import { contextOf, LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Endpoint } from '../edge/endpoint.js';
import { type Answer, headersOf } from '../edge/http/answer.js';
import type { Exchange } from '../edge/http/exchange.js';
import type { Route } from '../edge/routes.js';
import type { Caller } from '../edge/steps/caller.js';
import { errorPage } from './error-page.js';
import { readForm } from './form.js';
import { day, money, stateLabel } from './format.js';
import { page, pageHeaders } from './page.js';
import { publicEndpoint } from './public-endpoint.js';

/** The operations of billing that the pages call. */
export type PayCalls = Client<'pay_page' | 'pay_checkout' | 'pay_rail' | 'pay_sandbox'>;

/** The form of a link's token (docs/domain/orders.md#payment-link); any other is not found, without a call. */
const TOKEN = /^[0-9A-Za-z]{43}$/;

const BUTTONS = [
  { name: 'pay', label: 'Pay' },
  { name: 'decline', label: 'Decline' },
  { name: 'delay', label: 'Pay with delay' },
  { name: 'expire', label: 'Let it expire' },
] as const;

const RAIL_NAMES = { checkout: 'card', invoice: 'invoice' } as const;

const RAIL_UNAVAILABLE =
  'The payment provider does not answer at the moment. Nothing was charged. Press Pay again in a minute.';

const commonFields = (token: string, shown: PayPage) => ({
  token,
  formToken: shown.form_token,
  company: shown.company,
  campaign: shown.campaign,
  posts: shown.posts,
  total: money(shown.total_cents, shown.currency),
  state: stateLabel(shown.payment_state),
  sandbox: shown.sandbox,
});

const payPage = (token: string, shown: PayPage, notice: string | null, status = 200): Answer => {
  const open = shown.payment_state === 'unpaid' && shown.options.length > 0;
  const total = money(shown.total_cents, shown.currency);
  const invoice = shown.options.find((option) => option.rail === 'invoice');
  const data = {
    ...commonFields(token, shown),
    title: `${shown.company ?? shown.campaign}: ${stateLabel(shown.payment_state)}`,
    heading: shown.company ?? 'Your order',
    notice,
    payBy: shown.payment_state === 'unpaid' ? day(shown.pay_by) : null,
    canPay: open && shown.rail === 'checkout',
    payLabel: `Pay ${total}`,
    byInvoice: open && shown.rail === 'invoice',
    invoiceClears: withoutCapital(invoice?.clears ?? ''),
    otherRails: open
      ? shown.options
          .filter((option) => option.rail !== shown.rail)
          .map((option) => ({ rail: option.rail, name: RAIL_NAMES[option.rail] }))
      : [],
  };
  return page('pay', data, { status, code: status === 200 ? 'ok' : 'unavailable' });
};

/** A text of its own as part of a sentence. */
const withoutCapital = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const sandboxPage = (token: string, shown: PayPage): Answer =>
  page('sandbox', {
    ...commonFields(token, shown),
    title: 'Sandbox checkout',
    buttons: shown.payment_state === 'unpaid' && shown.session !== null ? BUTTONS : [],
    closed:
      shown.payment_state === 'unpaid'
        ? 'No checkout is open. Press Pay on the payment page first.'
        : `Nothing is due. Status of this order: ${stateLabel(shown.payment_state).toLowerCase()}.`,
  });

const seeOther = (url: string): Answer => ({
  status: 303,
  headers: { ...pageHeaders(false), Location: url },
  body: '',
  code: 'ok',
});

type Handler = (ctx: Ctx, token: string, field: (name: string) => string) => Promise<Answer>;

/**
 * The pay pages (docs/domain/orders.md#payment-link, docs/domain/access.md#payment-pages): rendered here, without
 * scripts, from billing's data.
 */
export const payRoutes = (edge: Edge, billing: PayCalls): Route<Endpoint>[] => {
  const contextFor = async (exchange: Exchange, caller: Caller): Promise<Ctx> =>
    contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.write);

  const endpoint = (handle: Handler, takesForm: boolean): Endpoint =>
    publicEndpoint(
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
        ...payPage(token, await billing.pay_page(ctx, { token }), RAIL_UNAVAILABLE, 503),
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
    { path: '/pay/{token}', method: 'GET', target: endpoint(show, false) },
    { path: '/pay/{token}/checkout', method: 'POST', target: endpoint(checkout, true) },
    { path: '/pay/{token}/rail', method: 'POST', target: endpoint(changeRail, true) },
    { path: '/pay/{token}/sandbox', method: 'GET', target: endpoint(showSandbox, false) },
    { path: '/pay/{token}/sandbox', method: 'POST', target: endpoint(pressSandbox, true) },
  ];
};

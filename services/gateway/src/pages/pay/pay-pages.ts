import { AppError, notFound, type PayPage } from '@cds/contracts';
import { type Client, type Ctx, publicError } from '@cds/service';
import type { Keys } from '../../accounts/keys/store/keys.js';
import type { Caller } from '../../edge/callers.js';
import { contextOf, LIMIT_MS } from '../../edge/context.js';
import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import { type Answer, headersOf } from '../../edge/http/answer.js';
import type { Exchange } from '../../edge/http/exchange.js';
import { publicEndpoint } from '../../edge/public-endpoint.js';
import type { Route } from '../../edge/routes.js';
import { errorPage } from '../foundation/error-page.js';
import { type Form, formOf, readForm } from '../foundation/form.js';
import { stateLabel } from '../foundation/format.js';
import { page, pageHeaders, seeOther } from '../foundation/page.js';
import { shownOf } from '../foundation/problems.js';
import { fileNameOf, invoicePaper, type Paper, receiptPaper } from './document.js';
import { documentPdf } from './document-pdf.js';
import { INVOICE_FIELDS, invoiceTyped } from './invoice-form.js';
import { type Beside, commonFields, payModel } from './pay-model.js';

/** The operations of billing that the pages call. */
export type PayCalls = Client<'pay_page' | 'pay_checkout' | 'pay_rail' | 'pay_invoice' | 'pay_sandbox'>;

/** The form of a link's token (docs/domain/orders.md#payment-link); any other is not found, without a call. */
const TOKEN = /^[0-9A-Za-z]{43}$/;

const BUTTONS = [
  { name: 'pay', label: 'Pay' },
  { name: 'decline', label: 'Decline' },
  { name: 'delay', label: 'Pay with delay' },
  { name: 'expire', label: 'Let it expire' },
] as const;

const RAIL_UNAVAILABLE =
  'The payment provider does not answer at the moment. Nothing was charged. Press Pay again in a minute.';

const SECRET = { secretUrl: true } as const;

const sandboxPage = (token: string, shown: PayPage): Answer =>
  page('sandbox', {
    ...SECRET,
    ...commonFields(token, shown),
    title: 'Sandbox checkout',
    buttons: shown.payment_state === 'unpaid' && shown.session !== null ? BUTTONS : [],
    closed:
      shown.payment_state === 'unpaid'
        ? 'No checkout is open. Press Pay on the payment page first.'
        : `Nothing is due. Status of this order: ${stateLabel(shown.payment_state).toLowerCase()}.`,
  });

/** The rail's own page. It is the only address outside ours that a form leads to, and billing names it. */
const toRail = (url: string): Answer => ({
  status: 303,
  headers: { ...pageHeaders(SECRET), Location: url },
  body: '',
  code: 'ok',
});

const pdfAnswer = async (paper: Paper): Promise<Answer> => ({
  status: 200,
  headers: {
    ...pageHeaders(SECRET),
    'Content-Type': 'application/pdf',
    'Content-Disposition': `attachment; filename="${fileNameOf(paper)}"`,
  },
  body: await documentPdf(paper),
  code: 'ok',
});

type Handler = (ctx: Ctx, token: string, form: Form) => Promise<Answer>;

/** A document of an order; null while there is none. */
type PaperOf = (shown: PayPage) => Paper | null;

/**
 * The pay pages (docs/domain/orders.md#payment-link, docs/domain/access.md#payment-pages): rendered here, without
 * scripts, from billing's data.
 */
export const payRoutes = (edge: Edge, billing: PayCalls, keys: Pick<Keys, 'byKeyId'>): Route<Endpoint>[] => {
  const contextFor = async (exchange: Exchange, caller: Caller): Promise<Ctx> =>
    contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.write);

  const endpoint = (handle: Handler, takesForm: boolean): Endpoint =>
    publicEndpoint(
      edge,
      async (exchange, params, caller) => {
        const token = params['token'] ?? '';
        try {
          if (!TOKEN.test(token)) throw notFound('payment link');
          const form = takesForm ? await readForm(exchange) : formOf(new URLSearchParams());
          return await handle(await contextFor(exchange, caller), token, form);
        } catch (error) {
          const { body, status } = publicError(error, edge.log, 'pay');
          const back = body.code === 'not_found' || !TOKEN.test(token) ? {} : { back: `/pay/${token}` };
          const headers = error instanceof AppError ? headersOf(error) : {};
          return errorPage(body, status, headers, { ...back, requestId: exchange.requestId, secretUrl: true });
        }
      },
      LIMIT_MS.write,
    );

  const payPage = async (ctx: Ctx, token: string, beside: Beside = {}, status = 200): Promise<Answer> => {
    const shown = await billing.pay_page(ctx, { token });
    const signer = await keys.byKeyId(shown.workspace, shown.key_id);
    return page('pay', payModel(token, shown, signer, beside), { status });
  };

  const show: Handler = (ctx, token) => payPage(ctx, token);

  const checkout: Handler = async (ctx, token, form) => {
    try {
      return toRail((await billing.pay_checkout(ctx, { token, form_token: form.one('form_token') })).url);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      return {
        ...(await payPage(ctx, token, { notice: RAIL_UNAVAILABLE }, 503)),
        code: 'unavailable',
        headers: { ...pageHeaders(SECRET), 'Retry-After': '60' },
      };
    }
  };

  const changeRail: Handler = async (ctx, token, form) => {
    await billing.pay_rail(ctx, { token, form_token: form.one('form_token'), rail: form.one('rail') });
    return seeOther(`/pay/${token}`, SECRET);
  };

  const askForInvoice: Handler = async (ctx, token, form) => {
    const typed = invoiceTyped(form);
    try {
      await billing.pay_invoice(ctx, { token, form_token: form.one('form_token'), details: typed });
      return seeOther(`/pay/${token}`, SECRET);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error;
      const wrong = shownOf(error.body(), INVOICE_FIELDS);
      return { ...(await payPage(ctx, token, { shown: wrong, typed }, 422)), code: error.code };
    }
  };

  const paperOf = async (ctx: Ctx, token: string, of: PaperOf): Promise<Paper> => {
    const paper = of(await billing.pay_page(ctx, { token }));
    if (paper === null) throw new AppError('not_found', 'This order has no such document, or not yet.');
    return paper;
  };

  /** A document as a page to print, and as a file. */
  const documentRoutes = (name: string, of: PaperOf): Route<Endpoint>[] => [
    {
      path: `/pay/{token}/${name}`,
      method: 'GET',
      target: endpoint(async (ctx, token) => {
        const paper = await paperOf(ctx, token, of);
        return page('pay-document', { ...SECRET, title: paper.title, paper, token, file: `/pay/${token}/${name}.pdf` });
      }, false),
    },
    {
      path: `/pay/{token}/${name}.pdf`,
      method: 'GET',
      target: endpoint(async (ctx, token) => pdfAnswer(await paperOf(ctx, token, of)), false),
    },
  ];

  const showSandbox: Handler = async (ctx, token) => {
    const shown = await billing.pay_page(ctx, { token });
    if (!shown.sandbox) throw notFound('payment link');
    return sandboxPage(token, shown);
  };

  const pressSandbox: Handler = async (ctx, token, form) => {
    await billing.pay_sandbox(ctx, { token, form_token: form.one('form_token'), button: form.one('button') });
    return seeOther(`/pay/${token}`, SECRET);
  };

  return [
    { path: '/pay/{token}', method: 'GET', target: endpoint(show, false) },
    { path: '/pay/{token}/checkout', method: 'POST', target: endpoint(checkout, true) },
    { path: '/pay/{token}/rail', method: 'POST', target: endpoint(changeRail, true) },
    { path: '/pay/{token}/invoice', method: 'POST', target: endpoint(askForInvoice, true) },
    ...documentRoutes('invoice', invoicePaper),
    ...documentRoutes('receipt', receiptPaper),
    { path: '/pay/{token}/sandbox', method: 'GET', target: endpoint(showSandbox, false) },
    { path: '/pay/{token}/sandbox', method: 'POST', target: endpoint(pressSandbox, true) },
  ];
};

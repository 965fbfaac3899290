import { AppError, notFound, type PayPage } from '@cds/contracts';
import { errorPage } from '../foundation/error-page.js';
import { type Form, formOf, readForm } from '../foundation/form.js';
import { stateLabel } from '../foundation/format.js';
import { page, pageHeaders, seeOther } from '../foundation/page.js';
import { shownOf } from '../foundation/problems.js';
import { publicEndpoint } from '../foundation/visitor.js';
import type { Answer, Endpoint, PageRequest, Route, Visitor } from '../port.js';
import { fileNameOf, invoicePaper, type Paper, receiptPaper } from './document.js';
import { documentPdf } from './document-pdf.js';
import { INVOICE_FIELDS, invoiceTyped } from './invoice-form.js';
import { type Beside, commonFields, payModel } from './pay-model.js';

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

type PayVisit = Visitor & { request: PageRequest; token: string; form: Form };

type Handler = (visit: PayVisit) => Promise<Answer>;

type PaperOf = (shown: PayPage) => Paper | null;

const NO_FORM = formOf(new URLSearchParams());

const endpoint = (handle: Handler, takesForm: boolean): Endpoint =>
  publicEndpoint(async (visitor, request, { token = '' }) => {
    const known = TOKEN.test(token);
    try {
      if (!known) throw notFound('payment link');
      return await handle({ ...visitor, request, token, form: takesForm ? await readForm(request) : NO_FORM });
    } catch (error) {
      const refusal = request.refusal(error);
      const back = !known || refusal.error.code === 'not_found' ? {} : { back: `/pay/${token}` };
      return errorPage(refusal, { ...back, requestId: request.requestId });
    }
  }, 'write');

const payPage = async (visit: PayVisit, beside: Beside = {}, status = 200): Promise<Answer> => {
  const { request, token } = visit;
  const shown = await visit.ask('pay_page', { token });
  const signer = await request.signerOf(shown.workspace, shown.key_id);
  return page('pay', payModel(token, shown, signer, beside), { status });
};

const checkout: Handler = async (visit) => {
  const { token, form } = visit;
  try {
    return toRail((await visit.ask('pay_checkout', { token, form_token: form.one('form_token') })).url);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    return {
      ...(await payPage(visit, { notice: RAIL_UNAVAILABLE }, 503)),
      code: 'unavailable',
      headers: { ...pageHeaders(SECRET), 'Retry-After': '60' },
    };
  }
};

const changeRail: Handler = async ({ ask, token, form }) => {
  await ask('pay_rail', { token, form_token: form.one('form_token'), rail: form.one('rail') });
  return seeOther(`/pay/${token}`, SECRET);
};

const askForInvoice: Handler = async (visit) => {
  const { token, form } = visit;
  const typed = invoiceTyped(form);
  try {
    await visit.ask('pay_invoice', { token, form_token: form.one('form_token'), details: typed });
    return seeOther(`/pay/${token}`, SECRET);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error;
    const wrong = shownOf(error.body(), INVOICE_FIELDS);
    return { ...(await payPage(visit, { shown: wrong, typed }, 422)), code: error.code };
  }
};

const paperOf = async ({ ask, token }: PayVisit, of: PaperOf): Promise<Paper> => {
  const paper = of(await ask('pay_page', { token }));
  if (paper === null) throw new AppError('not_found', 'This order has no such document, or not yet.');
  return paper;
};

const documentRoutes = (name: string, of: PaperOf): Route[] => [
  {
    path: `/pay/{token}/${name}`,
    method: 'GET',
    target: endpoint(async (visit) => {
      const paper = await paperOf(visit, of);
      const { token } = visit;
      return page('pay-document', { ...SECRET, title: paper.title, paper, token, file: `/pay/${token}/${name}.pdf` });
    }, false),
  },
  {
    path: `/pay/{token}/${name}.pdf`,
    method: 'GET',
    target: endpoint(async (visit) => pdfAnswer(await paperOf(visit, of)), false),
  },
];

const showSandbox: Handler = async ({ ask, token }) => {
  const shown = await ask('pay_page', { token });
  if (!shown.sandbox) throw notFound('payment link');
  return sandboxPage(token, shown);
};

const pressSandbox: Handler = async ({ ask, token, form }) => {
  await ask('pay_sandbox', { token, form_token: form.one('form_token'), button: form.one('button') });
  return seeOther(`/pay/${token}`, SECRET);
};

/** The pay pages, without scripts (docs/domain/orders.md#payment-link, docs/domain/pages.md#payment-pages). */
export const payRoutes: readonly Route[] = [
  { path: '/pay/{token}', method: 'GET', target: endpoint((visit) => payPage(visit), false) },
  { path: '/pay/{token}/checkout', method: 'POST', target: endpoint(checkout, true) },
  { path: '/pay/{token}/rail', method: 'POST', target: endpoint(changeRail, true) },
  { path: '/pay/{token}/invoice', method: 'POST', target: endpoint(askForInvoice, true) },
  ...documentRoutes('invoice', invoicePaper),
  ...documentRoutes('receipt', receiptPaper),
  { path: '/pay/{token}/sandbox', method: 'GET', target: endpoint(showSandbox, false) },
  { path: '/pay/{token}/sandbox', method: 'POST', target: endpoint(pressSandbox, true) },
];

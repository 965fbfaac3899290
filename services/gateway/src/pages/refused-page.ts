import type { ErrorBody } from '@cds/contracts';
import { byHandPage, errorPage, pageHeaders, type Refusal } from '@cds/pages';
import { publicError } from '@cds/service';
import type { SignInPages } from '../accounts/port.js';
import { type Answer, type Edge, outcomeOf, retryHeaders, statusOf } from '../edge/port.js';

/** A failure of an operation or a page as the public may read it; the rest is logged. */
export const refusalOf = (error: unknown, { log }: Pick<Edge, 'log'>, where: string): Refusal => {
  const { body, status: own } = publicError(error, log, where);
  const status = statusOf(body, own);
  return { error: body, status, headers: retryHeaders(body, status) };
};

const shown = (refusal: Refusal, requestId = ''): Answer => ({
  ...errorPage(refusal, { requestId }),
  ...outcomeOf(refusal.error),
});

/** Renders as a page what a step refused before any page could. */
export const refusedPage = (error: ErrorBody, own: number | undefined, headers: Record<string, string>): Answer => {
  const status = statusOf(error, own);
  return shown({ error, status, headers: { ...retryHeaders(error, status), ...headers } });
};

export const clientSignInPages = (edge: Edge): SignInPages => ({
  byHand: () => byHandPage(edge.appUrl),
  refused: ({ requestId, route }, error) => shown(refusalOf(error, edge, route), requestId),
  sentOn: (location) => ({
    status: 303,
    headers: { ...pageHeaders({ secretUrl: true }), Location: location },
    body: '',
    code: 'ok',
  }),
  orRefused: async (exchange, answer) => {
    try {
      return await answer();
    } catch (error) {
      return shown(refusalOf(error, edge, exchange.route), exchange.requestId);
    }
  },
});

import type { SignInPages } from '../../accounts/oauth/routes.js';
import type { Edge } from '../../edge/edge.js';
import { errorPage } from '../foundation/error-page.js';
import { pageHeaders } from '../foundation/page.js';
import { withErrorPage } from '../foundation/with-error-page.js';
import { byHandPage } from './by-hand-page.js';

/** What a browser is shown while a client signs in. */
export const clientSignInPages = (edge: Edge): SignInPages => ({
  byHand: () => byHandPage(edge.appUrl),
  refused: ({ requestId }, error) => errorPage(error.body(), 400, {}, { requestId }),
  sentOn: (location) => ({
    status: 303,
    headers: { ...pageHeaders({ secretUrl: true }), Location: location },
    body: '',
    code: 'ok',
  }),
  orRefused: (exchange, answer) => withErrorPage(edge, exchange, {}, answer),
});

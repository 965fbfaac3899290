/** What tests outside this service may use of it. */
export {
  aCreatorProposal,
  aLinkToken,
  anInvoice,
  anOrder,
  aPayPage,
  aRefundedOrder,
  CREATOR_PROPOSALS,
  PAY_PAGES,
} from '@cds/pages/testing';

export { mandateOf } from '../accounts/admission/keys.js';
export { mandateUnder } from '../accounts/keys/domain/child-key.js';
export { hashOf, newToken } from '../accounts/oauth/token-format.js';
export { readQuery } from '../edge/http/query.js';
export { validate } from '../edge/steps/validate.js';
export { AUTHORIZATION_BASELINE, expectedOf } from './conformance-baseline.js';
export { runAuthorizationSuite } from './conformance-suite.js';
export { crawl } from './crawl.js';
export { type Brand, type EdgeApp, makeBrand, startEdgeApp } from './edge-app.js';
export { formBrowser } from './forms.js';
export { ask, freshKey, type HttpAnswer } from './http.js';
export { aClient, authorizePath, signedIn } from './mcp-client.js';
export { type SignedIn, signIn } from './people.js';
export { aReceiver, type Received, type Receiver } from './receiver.js';

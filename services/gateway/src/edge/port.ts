// What other modules may use of edge; they import nothing else of it.

export type { Caller, Callers, Unauthorized } from './callers.js';
export { contextOf, LIMIT_MS } from './context.js';
export { childKeyPool, dayPool, mandatePools, requestPool, type SaidLimit, streamPool } from './domain/limits.js';
export type { Edge } from './edge.js';
export type { Endpoint } from './endpoint.js';
export { evenly, VISIT_STEP_MS } from './even-time.js';
export { type Answer, JSON_TYPE, okAnswer, outcomeOf, retryHeaders, statusOf } from './http/answer.js';
export { readBody, readBytes, readFields } from './http/body.js';
export { rateLimitAddressOf } from './http/client-address.js';
export { cookieIn, OPS_SESSION_COOKIE, SESSION_COOKIE, sessionCookie, setCookie } from './http/cookies.js';
export { type Exchange, headerValues } from './http/exchange.js';
export { readQuery } from './http/query.js';
export { EdgeRefusal } from './http/refusal.js';
export { fileAnswer, validated } from './http/validated.js';
export { admit, perform } from './lifecycle.js';
export { VERSIONS } from './mcp/protocol.js';
export { publicEndpoint, publicRoutes } from './public-endpoint.js';
export { checkQuota, type NamedQuota, WRITE_QUOTA } from './quota.js';
export type { Route } from './routes.js';
export {
  type AddressWindow,
  admitAddress,
  equalSecrets,
  OPERATOR_LIMIT,
  PAGE_WINDOW,
  PICTURE_WINDOW,
  RAIL_WINDOW,
  TOKEN_WINDOW,
  VISITOR_WINDOW,
  withoutWorkspace,
} from './steps/caller.js';
export { asCreator, openLink } from './steps/creator.js';
export { bearerOf, sentCredential, unauthorized, unauthorizedWith, unknownCredential } from './steps/credential.js';
export { TOOLS_PATH } from './steps/host.js';
export { rateOf, tighterOf } from './steps/rate.js';
export { noSession, sessionTokenOf } from './steps/session.js';
export { Quotas } from './store/quotas.js';
export { type LogPlace, type LogRow, RequestLogRows } from './store/request-log.js';
export { Usage } from './store/usage.js';
export type { CountedWindow, WindowFields, Windows } from './store/windows.js';
export { Streamed } from './streamed.js';

/** What tests outside this service may use of it. */
export { readQuery } from '../edge/http/query.js';
export { validate } from '../edge/steps/validate.js';
export { type Brand, type EdgeApp, makeBrand, startEdgeApp } from './edge-app.js';
export { ask, freshKey, type HttpAnswer } from './http.js';

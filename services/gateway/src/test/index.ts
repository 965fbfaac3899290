/** What tests outside this service may use of it. */
export { readQuery } from '../edge/query.js';
export { validate } from '../edge/validate.js';
export { type Brand, type EdgeApp, makeBrand, startEdgeApp } from './edge-app.js';
export { ask, freshKey, type Heard } from './http.js';

/** What tests outside this service may use of it. */
export { billingModule } from '../billing.module.js';
export type { Authority, Hold } from '../domain/authority.js';
export type { Order } from '../domain/order.js';
export { type LedgerEntry, stateOf } from '../domain/order-state.js';
export { aBillingBeside, type Billing } from './builders.js';

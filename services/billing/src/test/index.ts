/** What tests outside this service may use of it. */

export { billingModule } from '../billing.module.js';
export { type Authority, type Hold, monthsPast } from '../domain/authority.js';
export { type Credit, creditedOf, creditsOfCancel, creditsOfLine, uncredited } from '../domain/credit.js';
export type { Order } from '../domain/order.js';
export { moneyOf } from '../domain/order-money.js';
export { type LedgerEntry, stateOf } from '../domain/order-state.js';
export { formTokenOf } from '../domain/pay-token.js';
export type { RailEvent, ReturnedNow } from '../domain/payment-event.js';
export { receiptKeyOf } from '../domain/receipt-key.js';
export {
  creditsPaidBy,
  isNamedAlike,
  isOfPayment,
  keptRefunds,
  type Refund,
  refundRefOf,
  refundRefOfReturn,
  TRANSFER,
} from '../domain/refund.js';
export type { InvoiceRow } from '../rails/invoice/invoice.js';
export type { Delivery, PaymentRail, RailState, RefundAnswer, RefundWanted, SessionWanted } from '../rails/rail.js';
export { ReceiptIssuer } from '../signing/receipt-issuer.js';
export type { PaymentEvent } from '../store/payment-events.js';
export { auditBilling } from './audit-billing.js';
export { wrongInAuthorities } from './audits/authority.js';
export { type AuditedEntry, type AuditedOrder, wrongInBooks } from './audits/books.js';
export { actsOfLedger, type Sealed, withoutEntry } from './audits/entries.js';
export { type KeptReceipt, type Refused, receiptsMissing, receiptsProve } from './audits/receipts.js';
export { aBillingBeside, aHold, type BillingBeside } from './builders.js';
export { StripeFake } from './stripe-fake.js';

export { aCreatorProposal, aLinkToken, CREATOR_PROPOSALS } from './creator-proposal.js';
export { anOrder, aRefundedOrder, aWhollyRefundedOrder } from './order.js';
export { anInvoice, aPayPage, PAY_PAGES } from './pay-page.js';

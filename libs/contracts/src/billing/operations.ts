import { clockSet, dueNext } from '../clock.js';
import { mandateTry } from '../mandate-try.js';
import { shellOperations } from '../shell-operations.js';
import { approvalOperations } from './approval.js';
import { brandOrderOperations } from './brand-orders.js';
import { mandateOperations } from './mandates.js';
import { opsOrderOperations } from './ops-orders.js';
import { orderOperations } from './orders.js';
import { payPageOperations } from './pay-page.js';
import { quoteFactsOperations } from './quote-facts.js';
import { receiptOperations } from './receipts.js';
import { spendOperations } from './spend.js';
import { termsOperations } from './terms.js';

export const billingOperations = {
  ...approvalOperations,
  ...brandOrderOperations,
  ...orderOperations,
  ...opsOrderOperations,
  ...payPageOperations,
  ...quoteFactsOperations,
  ...mandateOperations,
  ...receiptOperations,
  ...spendOperations,
  ...termsOperations,
  ...mandateTry('billing'),
  ...clockSet('billing'),
  ...dueNext('billing'),
  ...shellOperations('billing'),
} as const;

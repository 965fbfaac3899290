import { clockSet, dueNext } from '../clock.js';
import { eventOperations } from '../event-operations.js';
import { approvalOperations } from './approval.js';
import { mandateOperations } from './mandates.js';
import { orderOperations } from './orders.js';
import { payPageOperations } from './pay-page.js';
import { quoteFactsOperations } from './quote-facts.js';
import { termsOperations } from './terms.js';

/** Every operation of billing, by resource. */
export const billingOperations = {
  ...approvalOperations,
  ...orderOperations,
  ...payPageOperations,
  ...quoteFactsOperations,
  ...mandateOperations,
  ...termsOperations,
  ...clockSet('billing'),
  ...dueNext('billing'),
  ...eventOperations('billing'),
} as const;

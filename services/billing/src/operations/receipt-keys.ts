import type { ReadHandler } from '@cds/service';
import type { ReceiptIssuer } from '../signing/receipt-issuer.js';

/** The key that signs new receipts comes first. Source: docs/domain/orders.md#receipts. */
export const receiptKeys: ReadHandler<'receipt_keys', { issuer: Pick<ReceiptIssuer, 'keys'> }> = async (
  _ctx,
  _input,
  { issuer },
) => ({ keys: [...issuer.keys] });

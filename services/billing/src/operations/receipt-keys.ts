import type { ReadHandler } from '@cds/service';
import type { ReceiptIssuer } from '../signing/receipt-issuer.js';

/** The public keys of receipts, the one that signs new receipts first. Source: docs/domain/orders.md#receipts. */
export const receiptKeys: ReadHandler<'receipt_keys', { issuer: Pick<ReceiptIssuer, 'keys'> }> = async (
  _ctx,
  _input,
  { issuer },
) => ({ keys: [...issuer.keys] });

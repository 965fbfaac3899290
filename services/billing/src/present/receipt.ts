import type { Receipt, SignedReceipt } from '@cds/contracts';
import type { ReceiptRow } from '../domain/receipt.js';

/** What it says is read from its own signature, so that the two never differ. */
export const presentReceipt = ({
  _id,
  kind,
  at,
  jws,
}: Pick<ReceiptRow, '_id' | 'kind' | 'at' | 'jws'>): SignedReceipt => ({
  id: _id,
  kind,
  at: at.toISOString(),
  jws,
  receipt: JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8')) as Receipt,
});

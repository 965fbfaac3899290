import { notFound } from '@cds/contracts';
import type { Client, ReadHandler } from '@cds/service';
import { presentReceipt } from '../present/receipt.js';
import type { ReceiptIssuer } from '../signing/receipt-issuer.js';
import type { Receipts } from '../store/receipts.js';

export type ReceiptGetDeps = {
  receipts: Receipts;
  issuer: ReceiptIssuer;
  planning: Client<'write_refusal_get' | 'line_refusal_get'>;
};

/** Receipts of planning's refusals are signed when read. Raises not_found. Source: docs/domain/orders.md#receipts. */
export const receiptGet: ReadHandler<'receipt_get', ReceiptGetDeps> = async (ctx, { id }, deps) => {
  const { workspace, sandbox } = ctx.principal;
  const row = await deps.receipts.byId(workspace, id);
  if (row !== null) return presentReceipt(row);

  const ofPlan = await deps.planning.write_refusal_get(ctx, { id });
  const refusal = ofPlan.refusal ?? (await deps.planning.line_refusal_get(ctx, { id })).refusal;
  if (refusal === null) throw notFound('receipt');
  return presentReceipt(await deps.issuer.refusedWrite({ workspace, sandbox }, refusal));
};

/** The key that signs new receipts comes first. Source: docs/domain/orders.md#receipts. */
export const receiptKeys: ReadHandler<'receipt_keys', { issuer: Pick<ReceiptIssuer, 'keys'> }> = async (
  _ctx,
  _input,
  { issuer },
) => ({ keys: [...issuer.keys] });

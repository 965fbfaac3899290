import { checkReceipt } from '../../signing/receipt-check.js';
import { jwsOf, type StoredReceipt } from '../../store/receipts.js';

export type KeptReceipt = Pick<StoredReceipt, '_id' | 'kind' | 'signing_id' | 'jws' | 'parts'>;
export type Refused = { _id: string; status: number; body: { buffer: Uint8Array } };
type SignedOrder = { _id: string; signing_id: string; receipt_id?: string; total_cents: number };

/**
 * I67: each order has exactly one receipt, and so has each refusal of approve by a mandate; equal refusals share one.
 * Its signature holds and it says what the order says. No receipt is of anything else.
 */
export const receiptsProve = async (
  receipts: readonly KeptReceipt[],
  orders: readonly SignedOrder[],
  refusals: readonly Refused[],
): Promise<string[]> => {
  const wrong = receiptsMissing(receipts, orders, refusals);
  const orderOf = new Map(orders.map((order) => [order.receipt_id, order]));
  for (const kept of receipts) wrong.push(...(await problemsOf(kept, orderOf.get(kept._id))));
  return wrong;
};

/** The same without looking into the receipts. */
export const receiptsMissing = (
  receipts: readonly Pick<KeptReceipt, '_id' | 'kind' | 'signing_id'>[],
  orders: readonly Pick<SignedOrder, '_id' | 'signing_id' | 'receipt_id'>[],
  refusals: readonly Refused[],
): string[] => {
  const named = [
    ...orders.map(({ _id, receipt_id: id, signing_id }) => ({ id, kind: 'signed', signing_id, of: `order ${_id}` })),
    ...refusals.map((refusal) => ({ id: receiptOf(refusal), kind: 'refused', of: `refusal ${refusal._id}` })),
  ];
  const byId = new Map(receipts.map((receipt) => [receipt._id, receipt]));
  const wrong = named.flatMap(({ of, ...wanted }) => {
    const found = byId.get(wanted.id ?? '');
    const isTheOne =
      found?.kind === wanted.kind && (!('signing_id' in wanted) || found.signing_id === wanted.signing_id);
    return isTheOne ? [] : [`I67: ${of} has no receipt ${wanted.id}`];
  });
  const wanted = new Set(named.map(({ id }) => id));
  const ofOrders = named.filter(({ kind }) => kind === 'signed').map(({ id }) => id);
  if (new Set(ofOrders).size !== ofOrders.length) wrong.push('I67: two answers name one receipt');
  for (const { _id } of receipts) if (!wanted.has(_id)) wrong.push(`I67: receipt ${_id} proves nothing`);
  return wrong;
};

const receiptOf = ({ body }: Refused): string | undefined =>
  (JSON.parse(Buffer.from(body.buffer).toString()) as { receipt_id?: string }).receipt_id;

const problemsOf = async (kept: KeptReceipt, order: SignedOrder | undefined): Promise<string[]> => {
  const { problems, receipt } = await checkReceipt(jwsOf(kept), null);
  const found = [
    ...problems,
    ...(receipt?.id === kept._id && receipt.kind === kept.kind ? [] : ['It is of something else.']),
    ...(receipt?.order_id === (order?._id ?? null) ? [] : [`It names order ${receipt?.order_id}.`]),
    ...(order === undefined || receipt?.total_cents === order.total_cents
      ? []
      : [`It says ${receipt?.total_cents} cents, and its order ${order.total_cents}.`]),
  ];
  return found.map((problem) => `I67: receipt ${kept._id}: ${problem}`);
};

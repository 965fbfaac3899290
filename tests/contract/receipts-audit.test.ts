import { randomUUID } from 'node:crypto';
import {
  aHold,
  type KeptReceipt,
  ReceiptIssuer,
  type Refused,
  receiptKeyOf,
  receiptsProve,
} from '@cds/billing/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';

const issuer = new ReceiptIssuer({ 1: receiptKeyOf(Buffer.alloc(32, 1)) }, 'https://app.example.com');
const ws = randomUUID();
const [hold, refusedHold] = [aHold({ ws }), aHold({ ws, total_cents: 0 })];
const refusal = { code: 'mandate_refused', message: 'm', details: { reason: 'no_mandate', escalate: true } } as const;

/** I67: the audit names each way in which receipts and what they prove can differ. */
describe('the audit of receipts', () => {
  let signed: KeptReceipt;
  let refused: KeptReceipt;
  beforeAll(async () => {
    signed = await issuer.signed(hold, { lines: [] });
    refused = await issuer.refused(refusedHold, refusal, undefined);
  });

  const order = (over: object = {}) => ({
    _id: hold.order_id,
    signing_id: hold.signing_id,
    receipt_id: signed._id,
    total_cents: hold.total_cents,
    ...over,
  });
  const refusalOf = (receipt_id: string): Refused => ({
    _id: 'command',
    status: 403,
    body: { buffer: Buffer.from(JSON.stringify({ ...refusal, receipt_id })) },
  });

  it('finds nothing where each order and each refusal has its receipt', async () => {
    expect(await receiptsProve([signed, refused], [order()], [refusalOf(refused._id)])).toEqual([]);
    expect(await receiptsProve([], [], [])).toEqual([]);
  });

  it('finds nothing where equal refusals share a receipt', async () => {
    expect(await receiptsProve([refused], [], [refusalOf(refused._id), refusalOf(refused._id)])).toEqual([]);
  });

  it.each<[string, () => Promise<string[]>, string]>([
    ['an order without a receipt', () => receiptsProve([], [order()], []), 'has no receipt'],
    ['a refusal without a receipt', () => receiptsProve([], [], [refusalOf(refused._id)]), 'has no receipt'],
    [
      'an order with the receipt of another signing',
      () => receiptsProve([signed], [order({ signing_id: 's' })], []),
      'has no receipt',
    ],
    [
      'an order with the receipt of a refusal',
      () => receiptsProve([refused], [order({ receipt_id: refused._id })], []),
      'has no receipt',
    ],
    [
      'two answers with one receipt',
      () => receiptsProve([signed], [order(), order({ _id: 'other' })], []),
      'two answers',
    ],
    ['a receipt of nothing', () => receiptsProve([signed], [], []), 'proves nothing'],
    [
      'another total than the order has',
      () => receiptsProve([signed], [order({ total_cents: 1 })], []),
      'and its order 1',
    ],
    [
      'another order than the one that names it',
      () => receiptsProve([signed], [order({ _id: 'other' })], []),
      'It names order',
    ],
    [
      'a receipt under the id of another',
      () => receiptsProve([{ ...signed, jws: refused.jws ?? '' }], [order()], []),
      'something else',
    ],
    [
      'a signature that does not hold',
      () => receiptsProve([{ ...signed, jws: `${signed.jws?.slice(0, -8)}AAAAAAAA` }], [order()], []),
      'signature does not hold',
    ],
  ])('finds %s', async (_name, audit, says) => {
    expect(await audit()).toContainEqual(expect.stringContaining(says));
  });
});

import type { KeyObject } from 'node:crypto';
import type { ApprovalEvidence, ErrorBody, Receipt, ReceiptKey, Verdict, WriteRefusal } from '@cds/contracts';
import { CompactSign } from 'jose';
import type { Hold } from '../domain/authority.js';
import { type ReceiptRow, refusedReceipt, refusedWriteReceipt, signedReceipt } from '../domain/receipt.js';
import { canonicalReceipt, publicKeyOf, type ReceiptKeys, signingFirst } from '../domain/receipt-key.js';
import { RECEIPT_TYPE } from './receipt-check.js';

export class ReceiptIssuer {
  readonly keys: readonly ReceiptKey[];
  private readonly key: KeyObject;
  private readonly header: { alg: 'EdDSA'; typ: string; kid: string; jwk: Pick<ReceiptKey, 'kty' | 'crv' | 'x'> };

  constructor(
    keys: ReceiptKeys,
    private readonly appUrl: string,
  ) {
    const [key, ...others] = signingFirst(keys);
    if (key === undefined) throw new Error('no key signs receipts');
    const signing = publicKeyOf(key);
    const { kty, crv, x, kid, alg } = signing;
    this.key = key;
    this.keys = [signing, ...others.map(publicKeyOf)];
    this.header = { alg, typ: RECEIPT_TYPE, kid, jwk: { kty, crv, x } };
  }

  signed(hold: Hold, verdict: Pick<Verdict, 'lines' | 'evidence'>): Promise<ReceiptRow> {
    return this.row(hold, signedReceipt(this.appUrl, hold, verdict));
  }

  refused(hold: Hold, refusal: ErrorBody, evidence: ApprovalEvidence | undefined): Promise<ReceiptRow> {
    return this.row(hold, refusedReceipt(this.appUrl, hold, refusal, evidence));
  }

  async refusedWrite(
    of: Pick<Receipt, 'workspace' | 'sandbox'>,
    refusal: WriteRefusal,
  ): Promise<Pick<ReceiptRow, '_id' | 'kind' | 'at' | 'jws'>> {
    const receipt = refusedWriteReceipt(this.appUrl, of, refusal);
    return { _id: receipt.id, kind: receipt.kind, at: new Date(receipt.at), jws: await this.sign(receipt) };
  }

  private async row(hold: Hold, receipt: Receipt): Promise<ReceiptRow> {
    return {
      _id: receipt.id,
      ws: hold.ws,
      kind: receipt.kind,
      signing_id: hold.signing_id,
      at: hold.approved_at,
      jws: await this.sign(receipt),
    };
  }

  private sign(receipt: Receipt): Promise<string> {
    const payload = Buffer.from(canonicalReceipt(receipt));
    return new CompactSign(payload).setProtectedHeader(this.header).sign(this.key);
  }
}

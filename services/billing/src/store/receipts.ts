import { type Collection, packed, type Store, type Tx, unpacked } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { mongo } from 'mongoose';
import { REFUSAL_RECEIPTS } from '../domain/constants.js';
import type { ReceiptRow } from '../domain/receipt.js';

const DAY_MS = 86_400_000;

/** Its JWS without the base64url, or whole, as an earlier release wrote it. */
export type StoredReceipt = Omit<ReceiptRow, 'jws'> & {
  jws?: string;
  parts?: { header: string; payload: mongo.Binary; signature: string };
  account?: string;
  expires_at?: Date;
};

export const jwsOf = ({ jws, parts }: Pick<StoredReceipt, 'jws' | 'parts'>): string => {
  if (parts === undefined) return jws ?? '';
  return `${parts.header}.${unpacked(parts.payload).toString('base64url')}.${parts.signature}`;
};

const inParts = ({ jws, ...row }: ReceiptRow): StoredReceipt => {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  return { ...row, parts: { header, payload: packed(Buffer.from(payload, 'base64url')), signature } };
};

const ends = (now: Date): { long: Date; short: Date } => {
  const day = Date.parse(dayOf(now));
  const after = (days: number) => new Date(day + (days + 1) * DAY_MS);
  return { long: after(REFUSAL_RECEIPTS.longDays), short: after(REFUSAL_RECEIPTS.shortDays) };
};

/**
 * Those of signings end with the reset of a sandbox alone, those of refusals by age (docs/domain/orders.md#receipts).
 */
export class Receipts {
  /** Removed by the reset of a sandbox, with their orders. */
  readonly signed = { name: 'receipts', only: { kind: 'signed' } };
  private readonly rows: Collection<StoredReceipt>;

  constructor(store: Store) {
    this.rows = store.collection<StoredReceipt>({
      name: 'receipts',
      indexes: [
        { key: { ws: 1, kind: 1 } },
        { key: { account: 1, expires_at: 1 }, partialFilterExpression: { kind: 'refused' } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ],
      // An earlier release kept them without an end. A sandbox's clock may be years ahead.
      backfill: {
        rows: { kind: 'refused', account: null, expires_at: null },
        set: { expires_at: { $add: [{ $min: ['$at', '$$NOW'] }, (REFUSAL_RECEIPTS.longDays + 1) * DAY_MS] } },
      },
    });
  }

  async byId(ws: string, id: string): Promise<ReceiptRow | null> {
    const row = await this.rows.findOne({ _id: id, ws });
    return row === null ? null : { ...row, jws: jwsOf(row) };
  }

  async add(tx: Tx, row: ReceiptRow): Promise<void> {
    await this.rows.insertOne(inParts(row), tx.options());
  }

  /** Only the first of an account's day are kept long: a key that is refused all day must not fill the disk. */
  async addRefusal(tx: Tx, row: ReceiptRow, account: string, now: Date): Promise<void> {
    const { long, short } = ends(now);
    const today = { account, kind: 'refused' as const, expires_at: long };
    const { longADay } = REFUSAL_RECEIPTS;
    const kept = await this.rows.find(today, { ...tx.options(), limit: longADay, projection: { _id: 1 } }).toArray();
    const expires_at = kept.length < longADay ? long : short;
    await this.rows.updateOne(
      { _id: row._id },
      { $setOnInsert: { ...inParts(row), account, expires_at } },
      { ...tx.options(), upsert: true },
    );
  }
}

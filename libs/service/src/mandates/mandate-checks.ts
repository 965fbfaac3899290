import {
  type AppError,
  type CheckPlace,
  MANDATE_REASONS,
  type MandateReason,
  type Refusal,
  refused,
} from '@cds/contracts';
import type { MandateAsked, MandateLimits } from '@cds/rules';
import type { Ctx } from '../bus/context.js';
import { RefusedWith } from '../commands/refused-with.js';
import { uuid7 } from '../outbox/uuid7.js';
import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

/** How long a check is kept, in days (docs/domain/orders.md#mandate-workbench). */
const KEPT_DAYS = 90;
const DAY_S = 86_400;

/** What a write asked of a mandate, and the answer: a row per command (docs/domain/orders.md#mandate-workbench). */
export type MandateCheck = {
  /** Of a refused edit also the id of its receipt (docs/domain/orders.md#receipts). */
  _id: string;
  ws: string;
  key: string;
  parent_key?: string;
  at: Date;
  operation: string;
  request_id: string;
  command: string;
  /** The newest version of the key's mandate, even when that removed it. */
  mandate_version: number;
  mandate: MandateLimits | null;
  asked: MandateAsked;
  /** null if the mandate allowed the write. */
  reason: MandateReason | null;
};

export const mandateCheck = (
  ctx: Pick<Ctx, 'principal' | 'requestId' | 'networkNow' | 'command'>,
  operation: string,
  asked: MandateAsked,
  reason: MandateReason | null,
): MandateCheck => {
  const { principal, command } = ctx;
  if (command === null) throw new Error(`${operation} tested a mandate without a command`);
  return {
    _id: uuid7(ctx.networkNow),
    ws: principal.workspace,
    key: principal.key,
    ...(principal.parent === undefined ? {} : { parent_key: principal.parent.key }),
    at: ctx.networkNow,
    operation,
    request_id: ctx.requestId,
    command: command.id,
    mandate_version: principal.mandate_version,
    mandate: limitsOf(principal.mandate),
    asked,
    reason,
  };
};

export const mandateReason = (word: unknown): MandateReason => {
  const reason = MANDATE_REASONS.find((one) => one === word);
  if (reason === undefined) throw new Error(`${String(word)} is not a reason of a mandate`);
  return reason;
};

const limitsOf = (mandate: MandateLimits | null): MandateLimits | null => {
  if (mandate === null) return null;
  const { max_plan_cents, monthly_cap_cents, channels, may_approve, expires_at, terms_version } = mandate;
  return { max_plan_cents, monthly_cap_cents, channels, may_approve, expires_at, terms_version };
};

/** The checks of a service that tests mandates, each in the commit of its write: a replay adds none. */
export class MandateChecks {
  readonly rows: Collection<MandateCheck>;

  constructor(store: Store) {
    this.rows = store.collection<MandateCheck>({
      name: 'mandate_checks',
      indexes: [{ key: { ws: 1, key: 1, at: -1, _id: -1 } }, { key: { at: 1 }, expireAfterSeconds: KEPT_DAYS * DAY_S }],
    });
  }

  async passed(tx: Tx, ctx: Ctx, operation: string, asked: MandateAsked): Promise<void> {
    await this.add(tx, mandateCheck(ctx, operation, asked, null));
  }

  /** The error of a refusal; only a mandate's records its check, which is its receipt. */
  refused(ctx: Ctx, operation: string, refusal: Refusal, asked: MandateAsked): AppError {
    const error = refused(refusal);
    if (refusal.code !== 'mandate_refused') return error;
    const check = mandateCheck(ctx, operation, asked, mandateReason(refusal.reason));
    return new RefusedWith(error, (tx) => this.add(tx, check), check._id);
  }

  async add(tx: Tx, check: MandateCheck): Promise<void> {
    await this.rows.insertOne(check, tx.options());
  }

  async refusedById(ws: string, id: string): Promise<MandateCheck | null> {
    return this.rows.findOne({ _id: id, ws, reason: { $ne: null } });
  }

  /** The checks of some keys of a workspace in a period, newest first, from after a place if one is given. */
  async newest(of: {
    ws: string;
    keys: readonly string[];
    from: Date;
    to: Date;
    after: CheckPlace | null;
    most: number;
  }): Promise<MandateCheck[]> {
    const { after } = of;
    const at = after === null ? null : new Date(after.at);
    return this.rows
      .find({
        ws: of.ws,
        key: { $in: [...of.keys] },
        at: { $gte: of.from, $lte: at ?? of.to },
        ...(after !== null && at !== null && { $or: [{ at: { $lt: at } }, { at, _id: { $lt: after.id } }] }),
      })
      .sort({ at: -1, _id: -1 })
      .limit(of.most)
      .toArray();
  }
}

import {
  type Collection,
  type Deadline,
  isDatabaseUnavailable,
  isDuplicate,
  readingOf,
  type Store,
  type Tx,
} from '@cds/service';
import type { mongo } from 'mongoose';
import {
  type Account,
  type Authority,
  type AuthorityView,
  accountOf,
  type Caps,
  countersOf,
  endOf,
  gatedVersion,
  type Hold,
  monthsPast,
} from '../domain/authority.js';
import { ENDED_KEPT_MS, MAX_HOLDS } from '../domain/constants.js';
import type { TermsNumber } from '../domain/offer.js';
import { NUMBERS, TERMS } from './terms.js';

export type AuthorityRead = AuthorityView & { terms: readonly TermsNumber[] };

const WRITTEN: mongo.Document = {
  $lookup: {
    from: 'orders',
    localField: 'holds.order_id',
    foreignField: '_id',
    as: 'written',
    pipeline: [{ $project: { _id: 1 } }],
  },
};

const WITH_HOLD = { 'holds.until': { $gt: new Date(0) } };

/** `unknown` when the database did not answer (docs/reliability.md#authority). */
export type Attempt = 'done' | 'miss' | 'unknown';

/**
 * One document per key and its children (docs/reliability.md#authority). Every change of a counter is one statement
 * with its whole condition in the filter, so no two approvals exceed a cap together. `key` is the document's: a child's
 * approvals are in its parent's.
 */
export class Authorities {
  private readonly rows: Collection<Authority>;

  constructor(private readonly store: Store) {
    this.rows = store.collection<Authority>({
      name: 'authority',
      indexes: [{ key: { 'holds.until': 1 } }, { key: { ws: 1 } }],
    });
    readingOf('cds_holds', () => this.rows.countDocuments(WITH_HOLD));
    readingOf('cds_hold_overdue_seconds', () => this.overdueSeconds());
  }

  private async overdueSeconds(): Promise<number> {
    const first = await this.rows.findOne(WITH_HOLD, {
      sort: { 'holds.until': 1 },
      projection: { 'holds.until': 1 },
    });
    const ends = first?.holds.map(({ until }) => until.getTime()) ?? [];
    return Math.max(0, (await this.store.about()).getTime() - Math.min(...ends)) / 1_000;
  }

  /** For the reset of a sandbox; the gate stays. */
  async forget(tx: Tx, ws: string): Promise<void> {
    await this.rows.updateMany({ ws }, { $set: { months: {}, holds: [] } }, tx.options());
  }

  async ensure(ws: string, key: string): Promise<void> {
    const first = { $setOnInsert: { min_mandate_version: 0, months: {}, holds: [] } };
    try {
      await this.rows.updateOne({ _id: key, ws }, first, { upsert: true });
    } catch (error) {
      if (!isDuplicate(error)) throw error; // Two first upserts met, and the document exists now.
    }
  }

  /** A comparison never matches an absent field, so a month is begun first. */
  async ensureMonth(
    { ws, months }: Pick<Authority, 'ws' | 'months'>,
    { document, child }: Account,
    month: string,
  ): Promise<void> {
    const past = Object.fromEntries(monthsPast(months, month).map((one) => [`months.${one}.children`, '' as const]));
    const first = `months.${month}`;
    const begins = { $set: { [first]: { held: 0 } }, ...(Object.keys(past).length > 0 && { $unset: past }) };
    await this.rows.updateOne({ _id: document, ws, [first]: { $exists: false } }, begins);
    if (child === null) return;
    const entry = `${first}.children.${child}`;
    await this.rows.updateOne({ _id: document, ws, [entry]: { $exists: false } }, { $set: { [entry]: { held: 0 } } });
  }

  async view(ws: string, key: string): Promise<AuthorityRead | null> {
    const [found] = await this.rows
      .aggregate<Authority & { written: { _id: string }[]; terms: TermsNumber[]; now: Date }>(
        [
          { $match: { _id: key, ws } },
          WRITTEN,
          { $lookup: { from: TERMS, as: 'terms', pipeline: NUMBERS } },
          { $set: { now: '$$NOW' } },
        ],
        { readConcern: { level: 'snapshot' } },
      )
      .toArray();
    if (found === undefined) return null;
    const { written, terms, now, ...authority } = found;
    return { authority, written: new Set(written.map((order) => order._id)), terms, now };
  }

  async views(ws: string, keys: readonly string[]): Promise<AuthorityView[]> {
    const found = await this.rows
      .aggregate<Authority & { written: { _id: string }[]; now: Date }>(
        [{ $match: { _id: { $in: [...keys] }, ws } }, WRITTEN, { $set: { now: '$$NOW' } }],
        { readConcern: { level: 'snapshot' } },
      )
      .toArray();
    return found.map(({ written, now, ...authority }) => ({
      authority,
      written: new Set(written.map((order) => order._id)),
      now,
    }));
  }

  async reserve(hold: Hold, key: string, caps: Caps, deadline: Deadline): Promise<Attempt> {
    const { child } = accountOf(hold.principal);
    return this.attempt(
      {
        _id: key,
        ws: hold.ws,
        min_mandate_version: { $lte: gatedVersion(hold) },
        ...rightsLast(hold.principal),
        $expr: { $lt: ['$$NOW', endOf(hold)] },
        [`months.${hold.month}.held`]: { $lte: caps.document - hold.total_cents },
        ...(child !== null && {
          [`months.${hold.month}.children.${child}.held`]: { $lte: (caps.child ?? 0) - hold.total_cents },
        }),
        'holds.command_id': { $ne: hold.command_id },
        [`holds.${MAX_HOLDS - 1}`]: { $exists: false },
      },
      { $inc: counted(accountOf(hold.principal), hold.month, hold.total_cents), $push: { holds: hold } },
      deadline,
    );
  }

  /** Of 0 cents: only with it may the refusal be stored. */
  async holdRefusal(hold: Hold, key: string, deadline: Deadline): Promise<Attempt> {
    return this.attempt(
      {
        _id: key,
        ws: hold.ws,
        'holds.command_id': { $ne: hold.command_id },
        [`holds.${MAX_HOLDS - 1}`]: { $exists: false },
      },
      { $push: { holds: hold } },
      deadline,
    );
  }

  async renew(hold: Hold, key: string, until: Date): Promise<void> {
    await this.rows.updateOne(
      { _id: key, ws: hold.ws, 'holds.signing_id': hold.signing_id },
      { $set: { 'holds.$.until': until } },
    );
  }

  async release(hold: Hold, key: string): Promise<void> {
    const held = { _id: key, ws: hold.ws, 'holds.signing_id': hold.signing_id };
    const ended = { $pull: { holds: { signing_id: hold.signing_id } } };
    if (hold.total_cents === 0) await this.rows.updateOne(held, ended);
    else await this.takeBack(held, accountOf(hold.principal), hold.month, hold.total_cents, ended);
  }

  async cleanUp(hold: Hold, key: string): Promise<void> {
    await this.rows.updateOne(
      { _id: key, ws: hold.ws, 'holds.signing_id': hold.signing_id },
      { $pull: { holds: { signing_id: hold.signing_id } } },
    );
  }

  /** Returns the document with every hold that came before. Drops ends that no approval can meet any more. */
  async raise(
    ws: string,
    key: string,
    { version = 0, ended = {} }: { version?: number | undefined; ended?: Readonly<Record<string, number>> | undefined },
  ): Promise<Authority> {
    await this.ensure(ws, key);
    const raised = await this.rows.findOneAndUpdate(
      { _id: key, ws },
      [
        {
          $set: {
            min_mandate_version: { $max: ['$min_mandate_version', version] },
            ...(Object.keys(ended).length > 0 && { ended: { $mergeObjects: [RECENT, endsOf(ended)] } }),
          },
        },
      ],
      { returnDocument: 'after' },
    );
    if (raised === null) throw new Error(`the authority of key ${key} is not of workspace ${ws}`);
    return raised;
  }

  async giveBack(tx: Tx, ws: string, account: Account, month: string, cents: number): Promise<void> {
    await this.takeBack({ _id: account.document, ws }, account, month, cents, {}, tx);
  }

  private async takeBack(
    which: mongo.Filter<Authority>,
    { document, child }: Account,
    month: string,
    cents: number,
    more: mongo.UpdateFilter<Authority>,
    tx?: Tx,
  ): Promise<void> {
    const from = (of: string | null) => ({ $inc: counted({ document, child: of }, month, -cents), ...more });
    if (child !== null) {
      const counter = { [`months.${month}.children.${child}`]: { $exists: true } };
      const done = await this.rows.updateOne({ ...which, ...counter }, from(child), tx?.options());
      if (done.matchedCount === 1) return;
    }
    await this.rows.updateOne(which, from(null), tx?.options());
  }

  /** Conflicts with an approve that reserves at the same time under the same command id. */
  async touchUnheld(tx: Tx, ws: string, key: string, commandId: string): Promise<boolean> {
    const touched = await this.rows.updateOne(
      { _id: key, ws, 'holds.command_id': { $ne: commandId } },
      { $set: { touched_by: commandId } },
      tx.options(),
    );
    return touched.matchedCount === 1;
  }

  async markReported(tx: Tx, hold: Hold, kind: string): Promise<boolean> {
    const marked = await this.rows.updateOne(
      {
        _id: accountOf(hold.principal).document,
        ws: hold.ws,
        holds: { $elemMatch: { signing_id: hold.signing_id, reported: { $ne: kind } } },
      },
      { $addToSet: { 'holds.$.reported': kind } },
      tx.options(),
    );
    return marked.matchedCount === 1;
  }

  async heldSignings(signings: readonly { ws: string; signing_id: string }[]): Promise<Set<string>> {
    const found = await this.rows
      .find(
        { ws: { $in: [...new Set(signings.map((one) => one.ws))] }, 'holds.0': { $exists: true } },
        { projection: { 'holds.signing_id': 1 } },
      )
      .toArray();
    const holds = new Set(found.flatMap((authority) => authority.holds.map((hold) => hold.signing_id)));
    return new Set(signings.map((one) => one.signing_id).filter((id) => holds.has(id)));
  }

  /** Reported ones wait for a person and do not count. */
  async runningIn(ws: string): Promise<number> {
    const found = await this.rows
      .find({ ws, 'holds.0': { $exists: true } }, { projection: { 'holds.reported': 1 } })
      .toArray();
    return found.flatMap(({ holds }) => holds).filter(({ reported }) => reported === undefined).length;
  }

  async holdOfOrder(ws: string, orderId: string): Promise<Hold | null> {
    const found = await this.rows.findOne(
      { ws, 'holds.order_id': orderId },
      { projection: { holds: { $elemMatch: { order_id: orderId } } } },
    );
    return found?.holds[0] ?? null;
  }

  async expired(
    now: Date,
    only: string | null,
    without: readonly string[] = [],
  ): Promise<{ key: string; hold: Hold }[]> {
    const stepped = new Set(without);
    const due = { until: { $lt: now }, ...(without.length > 0 && { signing_id: { $nin: [...without] } }) };
    const found = await this.rows
      .find({ holds: { $elemMatch: due }, ...(only !== null && { ws: only }) })
      .limit(200)
      .toArray();
    return found.flatMap((authority) =>
      authority.holds
        .filter((hold) => hold.until < now && !stepped.has(hold.signing_id))
        .map((hold) => ({ key: authority._id, hold })),
    );
  }

  private async attempt(
    filter: mongo.Filter<Authority>,
    update: mongo.UpdateFilter<Authority>,
    deadline: Deadline,
  ): Promise<Attempt> {
    try {
      const maxTimeMS = Math.max(1, deadline.remainingMs());
      const result = await this.rows.updateOne(filter, update, { maxTimeMS });
      return result.matchedCount === 1 ? 'done' : 'miss';
    } catch (error) {
      if (isDatabaseUnavailable(error)) return 'unknown';
      throw error;
    }
  }
}

const rightsLast = ({ rights = {} }: Hold['principal']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(rights).map(([right, version]) => [`ended.${right}.below`, { $not: { $gt: version } }]),
  );

const RECENT = {
  $arrayToObject: {
    $filter: {
      input: { $objectToArray: { $ifNull: ['$ended', {}] } },
      cond: { $gt: ['$$this.v.at', { $subtract: ['$$NOW', ENDED_KEPT_MS] }] },
    },
  },
};

/** A right that ended before keeps the later end. */
const endsOf = (ended: Readonly<Record<string, number>>): object =>
  Object.fromEntries(
    Object.entries(ended).map(([right, below]) => [
      right,
      { below: { $max: [{ $ifNull: [`$ended.${right}.below`, below] }, below] }, at: '$$NOW' },
    ]),
  );

const counted = (account: Account, month: string, cents: number): Record<string, number> =>
  Object.fromEntries(countersOf(account, month).map((counter) => [counter, cents]));

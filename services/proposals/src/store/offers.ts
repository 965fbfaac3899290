import {
  after,
  type Collection,
  inOrder,
  isDuplicate,
  LostRace,
  type NetworkTime,
  type Place,
  type SandboxHorizon,
  type Store,
  stepping,
  type Tx,
} from '@cds/service';
import type { mongo } from 'mongoose';
import type { Chain, OfferLine, ProposalRow, ProposalState } from '../domain/chain.js';
import type { MaybeChain } from '../domain/follow-order.js';
import type { Move } from '../domain/moves.js';
import type { Offer } from '../domain/offer-state.js';

/** A query uses a partial index only if it repeats its condition. */
const REPLACING = { $type: 'string' } as const;
const DUE_BATCH = 200;

/**
 * A move writes both documents of a chain by compare-and-set in one transaction, so cancellation, expiry and answers
 * are decided in one place (docs/reliability.md#proposals).
 */
export class Offers {
  readonly lines: Collection<OfferLine>;
  readonly proposals: Collection<ProposalRow>;

  constructor(store: Store) {
    this.lines = store.collection<OfferLine>({
      name: 'offer_lines',
      indexes: [
        { key: { ws: 1, order_id: 1 } },
        { key: { 'post.completed_at': 1, _id: 1 }, partialFilterExpression: { 'post.status': 'completed' } },
        {
          key: { 'payout.at': 1, 'post.completed_at': 1, _id: 1 },
          partialFilterExpression: { 'post.status': 'completed', sandbox: false },
        },
      ],
    });
    this.proposals = store.collection<ProposalRow>({
      name: 'proposals',
      indexes: [
        { key: { line_id: 1, attempt: 1 }, unique: true },
        { key: { line_id: 1 }, unique: true, partialFilterExpression: { open: true } },
        {
          key: { replaces_in: 1, creator_id: 1 },
          unique: true,
          partialFilterExpression: { replaces_in: REPLACING },
        },
        { key: { ws: 1, declined_at: 1 }, partialFilterExpression: { declined_at: { $type: 'date' } } },
        // For rows that are older than `declined_at`.
        { key: { ws: 1, updated_at: 1 }, partialFilterExpression: { state: 'declined' } },
        { key: { updated_at: 1, _id: 1 } },
        { key: { state: 1, updated_at: 1, _id: 1 } },
        { key: { sandbox: 1, due_at: 1, ws: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
        { key: { ws: 1, due_at: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
        { key: { ws: 1 } },
      ],
    });
  }

  /** A line with its newest proposal, if it has one. Null for an id of another workspace, unless `ws` is null. */
  async byLine(ws: string | null, lineId: string, tx?: Tx): Promise<MaybeChain | null> {
    const line = await this.lines.findOne({ _id: lineId, ...(ws === null ? {} : { ws }) }, tx?.options());
    if (line === null) return null;
    const newest = { ws: line.ws, line_id: lineId, attempt: line.attempts };
    return { line, proposal: await this.proposals.findOne(newest, tx?.options()) };
  }

  async offer(proposalId: string, ws?: string): Promise<Offer | null> {
    const own = await this.proposals.findOne({ _id: proposalId, ...(ws === undefined ? {} : { ws }) });
    if (own === null) return null;
    const line = await this.lines.findOne({ _id: own.line_id, ws: own.ws });
    if (line === null) return null;
    if (line.attempts === own.attempt) return { line, own, newest: own };
    const newest = await this.proposals.findOne({ ws: own.ws, line_id: line._id, attempt: line.attempts });
    return newest === null ? null : { line, own, newest };
  }

  /** The longest unchanged first. */
  async page(
    state: ProposalState | null,
    olderThan: Date | null,
    place: Place | null,
    limit: number,
  ): Promise<Offer[]> {
    const filter: mongo.Filter<ProposalRow> = {
      $and: [
        state === null ? {} : { state },
        olderThan === null ? {} : { updated_at: { $lt: olderThan } },
        after('updated_at', place),
      ],
    };
    const rows = await this.proposals.find(filter, { sort: inOrder('updated_at'), limit }).toArray();
    const lines = await this.lines.find({ _id: { $in: rows.map((row) => row.line_id) } }).toArray();
    const newest = await this.chainsOf(lines);
    const byLine = new Map(newest.map((chain) => [chain.line._id, chain]));
    return rows.flatMap((own) => {
      const chain = byLine.get(own.line_id);
      if (chain === undefined) return [];
      return [{ line: chain.line, own, newest: chain.proposal._id === own._id ? own : chain.proposal }];
    });
  }

  async provedLines(state: 'due' | 'paid', place: Place | null, limit: number): Promise<Chain[]> {
    const filter: mongo.Filter<OfferLine> = {
      $and: [
        { 'post.status': 'completed', sandbox: false, 'payout.at': state === 'due' ? null : { $ne: null } },
        after('post.completed_at', place),
      ],
    };
    const lines = await this.lines.find(filter, { sort: inOrder('post.completed_at'), limit }).toArray();
    return this.chainsOf(lines);
  }

  async linesOf(ws: string, orderId: string): Promise<OfferLine[]> {
    return this.lines.find({ ws, order_id: orderId, attempts: { $gt: 0 } }).toArray();
  }

  async ofOrder(tx: Tx, ws: string, orderId: string): Promise<Map<string, MaybeChain>> {
    const lines = await this.lines.find({ ws, order_id: orderId }, tx.options()).toArray();
    if (lines.length === 0) return new Map();
    const ids = lines.map((line) => line._id);
    const rows = await this.proposals.find({ ws, line_id: { $in: ids } }, tx.options()).toArray();
    return new Map(
      lines.map((line) => [
        line._id,
        { line, proposal: rows.find((row) => row.line_id === line._id && row.attempt === line.attempts) ?? null },
      ]),
    );
  }

  async chainsOf(lines: readonly OfferLine[]): Promise<Chain[]> {
    if (lines.length === 0) return [];
    const ids = lines.map((line) => line._id);
    const rows = await this.proposals.find({ line_id: { $in: ids } }).toArray();
    return lines.flatMap((line) => {
      const proposal = rows.find((row) => row.line_id === line._id && row.attempt === line.attempts);
      return proposal === undefined ? [] : [{ line, proposal }];
    });
  }

  async chainsOfNewest(rows: readonly ProposalRow[]): Promise<Map<string, Chain>> {
    const ids = rows.map((row) => row.line_id);
    const ws = { $in: [...new Set(rows.map((row) => row.ws))] };
    const lines = await this.lines.find({ _id: { $in: ids }, ws }).toArray();
    return new Map((await this.chainsOf(lines)).map((chain) => [chain.proposal._id, chain]));
  }

  /** Raises LostRace when anything moved meanwhile. */
  async put(tx: Tx, changes: readonly { before: MaybeChain | null; after: MaybeChain }[]): Promise<void> {
    const lines = new Writes<OfferLine>('line');
    const proposals = new Writes<ProposalRow>('proposal');
    for (const { before, after } of changes) {
      if (before === null) lines.insert(after.line);
      else lines.replace(ofLine(before.line), after.line);
      if (after.proposal === null || after.proposal === before?.proposal) continue;
      if (before === null || before.proposal === null) proposals.insert(after.proposal);
      else proposals.replace(ofProposal(before.proposal), after.proposal);
    }
    await proposals.write(tx, this.proposals);
    await lines.write(tx, this.lines);
  }

  /** The creators who fill the lines of orders now, and those who were ever asked to replace one, by order. */
  async creatorsOnOrders(workspaces: readonly string[], orderIds: readonly string[]): Promise<Map<string, string[]>> {
    const [ws, of] = [{ $in: [...workspaces] }, { $in: [...orderIds] }];
    const fields = { creator_id: 1, order_id: 1, replaces_in: 1 };
    const [lines, replacements] = await Promise.all([
      this.lines.find({ ws, order_id: of }, { projection: fields }).toArray(),
      this.proposals.find({ ws, replaces_in: { ...of, ...REPLACING } }, { projection: fields }).toArray(),
    ]);
    const creators = new Map(orderIds.map((id) => [id, [] as string[]]));
    for (const { order_id, creator_id } of lines) creators.get(order_id)?.push(creator_id);
    for (const { replaces_in = '', creator_id } of replacements) creators.get(replaces_in)?.push(creator_id);
    return creators;
  }

  /** Who declined offers of workspaces after `from` and until `to`, and when, whatever happened to the row since. */
  async declinedBetween(
    workspaces: readonly string[],
    from: Date,
    to: Date,
  ): Promise<{ ws: string; creator_id: string; declined_at: Date }[]> {
    const ws = { $in: [...workspaces] };
    const rows = await this.proposals
      .find<Pick<ProposalRow, 'ws' | 'creator_id' | 'declined_at' | 'updated_at'>>(
        {
          $or: [
            { ws, declined_at: { $type: 'date', $gt: from, $lte: to } },
            { ws, state: 'declined', declined_at: { $exists: false }, updated_at: { $gt: from, $lte: to } },
          ],
        },
        { projection: { ws: 1, creator_id: 1, declined_at: 1, updated_at: 1 } },
      )
      .toArray();
    return rows.map((row) => ({
      ws: row.ws,
      creator_id: row.creator_id,
      declined_at: row.declined_at ?? row.updated_at,
    }));
  }

  /** Saves a move; the filter holds the answer's window (I30, I31). Raises LostRace when anything moved meanwhile. */
  async save(tx: Tx, before: Chain, move: Move): Promise<void> {
    await this.saveAll(tx, [{ before, move }]);
  }

  /** All or none. If two lines of an order choose the same creator at once, the second raises LostRace. */
  async saveAll(tx: Tx, moves: readonly { before: Chain; move: Move }[]): Promise<void> {
    const lines = new Writes<OfferLine>('line');
    const proposals = new Writes<ProposalRow>('proposal');
    for (const { before, move } of moves) {
      const { chain, window, replaced } = move;
      proposals.replace({ ...ofProposal(before.proposal), ...guardOf(window) }, replaced ?? chain.proposal);
      lines.replace(ofLine(before.line), chain.line);
      if (replaced !== undefined) proposals.insert(chain.proposal);
    }
    try {
      await proposals.write(tx, this.proposals);
    } catch (error) {
      throw isDuplicate(error) ? new LostRace('replacement') : error;
    }
    await lines.write(tx, this.lines);
  }

  async sandboxesDue(horizon: SandboxHorizon): Promise<{ ws: string; due_at: Date }[]> {
    return this.proposals
      .aggregate<{ ws: string; due_at: Date }>([
        { $match: { sandbox: true, due_at: { $type: 'date', $lte: horizon } } },
        { $group: { _id: '$ws', due_at: { $min: '$due_at' } } },
        { $project: { _id: 0, ws: '$_id', due_at: 1 } },
      ])
      .toArray();
  }

  /**
   * One at a time: what a row becomes may be due before the next one, and a search depends on whom earlier ones took.
   */
  async dueInSandbox(ws: string, until: Date, without: readonly string[]): Promise<ProposalRow[]> {
    return this.proposals
      .find({ ws, sandbox: true, ...dueBy(until), ...stepping(without) })
      .sort({ due_at: 1, place: 1, _id: 1 })
      .limit(1)
      .toArray();
  }

  /** In the order of the index, so that lines of one order are handled together. */
  async dueLive(until: NetworkTime, without: readonly string[]): Promise<ProposalRow[]> {
    return this.proposals
      .find({ sandbox: false, ...dueBy(until), ...stepping(without) })
      .sort({ due_at: 1, ws: 1 })
      .limit(DUE_BATCH)
      .toArray();
  }

  async pending(ws: string, limit: number): Promise<ProposalRow[]> {
    return this.proposals
      .find({ ws, due_at: { $type: 'date' } })
      .sort({ due_at: 1, _id: 1 })
      .limit(limit)
      .toArray();
  }
}

const dueBy = (until: Date): mongo.Filter<ProposalRow> => ({ due_at: { $type: 'date', $lte: until } });

/** The line as it was read, by its number of writes. */
const ofLine = ({ _id, ws, rev }: OfferLine): mongo.Filter<OfferLine> => ({ _id, ws, rev });
const ofProposal = ({ _id, ws, rev, state }: ProposalRow): mongo.Filter<ProposalRow> => ({ _id, ws, rev, state });

const guardOf = (window: Move['window']): mongo.Filter<ProposalRow> => {
  if (window === null) return {};
  return 'open' in window ? { expires_at: { $gt: window.open } } : { expires_at: { $lte: window.over } };
};

class Writes<Doc extends { _id: string }> {
  private readonly replaced: mongo.AnyBulkWriteOperation<Doc>[] = [];
  private readonly inserted: mongo.AnyBulkWriteOperation<Doc>[] = [];

  constructor(private readonly what: string) {}

  replace(filter: mongo.Filter<Doc>, replacement: Doc): void {
    this.replaced.push({ replaceOne: { filter, replacement } });
  }

  insert(document: Doc): void {
    this.inserted.push({ insertOne: { document: document as mongo.OptionalId<Doc> } });
  }

  /** Raises LostRace when a document is not as it was read. */
  async write(tx: Tx, rows: Collection<Doc>): Promise<void> {
    const all = [...this.replaced, ...this.inserted];
    if (all.length === 0) return;
    const done = await rows.bulkWrite(all, tx.options());
    if (done.modifiedCount !== this.replaced.length) throw new LostRace(this.what);
  }
}

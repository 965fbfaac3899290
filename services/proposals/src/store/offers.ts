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

/** How many due rows one query returns. */
const DUE_BATCH = 200;

/**
 * The lines on offer and their proposals. A move writes both documents of a chain by compare-and-set in one
 * transaction, so cancellation, expiry and answers are decided in one place (docs/reliability.md#proposals).
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
          partialFilterExpression: { replaces_in: { $type: 'string' } },
        },
        { key: { ws: 1, updated_at: 1 }, partialFilterExpression: { state: 'declined' } },
        { key: { updated_at: 1, _id: 1 } },
        { key: { state: 1, updated_at: 1, _id: 1 } },
        { key: { sandbox: 1, due_at: 1, ws: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
        { key: { ws: 1, due_at: 1 }, partialFilterExpression: { due_at: { $type: 'date' } } },
      ],
    });
  }

  /** A line of the workspace with its newest proposal, if it has one yet; null for a foreign or absent id. */
  async byLine(ws: string, lineId: string): Promise<MaybeChain | null> {
    const line = await this.lines.findOne({ _id: lineId, ws });
    if (line === null) return null;
    return { line, proposal: await this.proposals.findOne({ ws, line_id: lineId, attempt: line.attempts }) };
  }

  /** A line of any workspace with its newest proposal, for the operator's team. */
  async ofAnyWorkspace(lineId: string): Promise<MaybeChain | null> {
    const line = await this.lines.findOne({ _id: lineId });
    if (line === null) return null;
    const { ws, attempts } = line;
    return { line, proposal: await this.proposals.findOne({ ws, line_id: lineId, attempt: attempts }) };
  }

  /** A proposal with its line and that line's newest proposal; of any workspace unless one is named. */
  async offer(proposalId: string, ws?: string): Promise<Offer | null> {
    const own = await this.proposals.findOne({ _id: proposalId, ...(ws === undefined ? {} : { ws }) });
    if (own === null) return null;
    const line = await this.lines.findOne({ _id: own.line_id, ws: own.ws });
    if (line === null) return null;
    if (line.attempts === own.attempt) return { line, own, newest: own };
    const newest = await this.proposals.findOne({ ws: own.ws, line_id: line._id, attempt: line.attempts });
    return newest === null ? null : { line, own, newest };
  }

  /**
   * A page of the proposals of all workspaces, in one state or all, that are unchanged since before an instant: the
   * longest unchanged first.
   */
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

  /** A page of the live lines whose posts are proved, and whose payout is due or was paid, the longest proved first. */
  async provedLines(state: 'due' | 'paid', place: Place | null, limit: number): Promise<Chain[]> {
    const filter: mongo.Filter<OfferLine> = {
      $and: [
        { 'post.status': 'completed', sandbox: false, payout: state === 'due' ? null : { $ne: null } },
        after('post.completed_at', place),
      ],
    };
    const lines = await this.lines.find(filter, { sort: inOrder('post.completed_at'), limit }).toArray();
    return this.chainsOf(lines);
  }

  /** The lines of an order with their newest proposals, by line id, as the transaction sees them. */
  async ofOrder(tx: Tx, ws: string, orderId: string): Promise<Map<string, MaybeChain>> {
    const lines = await this.lines.find({ ws, order_id: orderId }, tx.options()).toArray();
    const ids = lines.map((line) => line._id);
    const rows = await this.proposals.find({ ws, line_id: { $in: ids } }, tx.options()).toArray();
    return new Map(
      lines.map((line) => [
        line._id,
        { line, proposal: rows.find((row) => row.line_id === line._id && row.attempt === line.attempts) ?? null },
      ]),
    );
  }

  /** Lines of any workspace with their newest proposals; lines without one are left out. */
  async chainsOf(lines: readonly OfferLine[]): Promise<Chain[]> {
    const ids = lines.map((line) => line._id);
    const rows = await this.proposals.find({ line_id: { $in: ids } }).toArray();
    return lines.flatMap((line) => {
      const proposal = rows.find((row) => row.line_id === line._id && row.attempt === line.attempts);
      return proposal === undefined ? [] : [{ line, proposal }];
    });
  }

  /** Writes a chain as the order consumer decided it: inserts new documents, compares and sets existing ones. */
  async put(tx: Tx, before: MaybeChain | null, after: MaybeChain): Promise<void> {
    if (before === null) await this.lines.insertOne(after.line, tx.options());
    else await this.replaceLine(tx, before.line, after.line);
    if (after.proposal === null || after.proposal === before?.proposal) return;
    if (before === null || before.proposal === null) await this.proposals.insertOne(after.proposal, tx.options());
    else await this.replaceProposal(tx, before.proposal, after.proposal, {});
  }

  /** The creators who fill the lines of an order now, and those who were ever asked to replace one. */
  async creatorsOnOrder(ws: string, orderId: string): Promise<string[]> {
    const [lines, replacements] = await Promise.all([
      this.lines.find({ ws, order_id: orderId }, { projection: { creator_id: 1 } }).toArray(),
      this.proposals.find({ ws, replaces_in: orderId }, { projection: { creator_id: 1 } }).toArray(),
    ]);
    return [...lines, ...replacements].map((one) => one.creator_id);
  }

  /** The creators who declined offers of a workspace after `from` and until `to`. */
  async declinedBetween(ws: string, from: Date, to: Date): Promise<string[]> {
    const rows = await this.proposals
      .find({ ws, state: 'declined', updated_at: { $gt: from, $lte: to } }, { projection: { creator_id: 1 } })
      .toArray();
    return rows.map((row) => row.creator_id);
  }

  /** Saves a move; the filter holds the answer's window (I30, I31). Raises LostRace when anything moved meanwhile. */
  async save(tx: Tx, before: Chain, { chain, window, replaced }: Move): Promise<void> {
    const guard =
      window === null
        ? {}
        : 'open' in window
          ? { expires_at: { $gt: window.open } }
          : { expires_at: { $lte: window.over } };
    await this.replaceProposal(tx, before.proposal, replaced ?? chain.proposal, guard);
    await this.replaceLine(tx, before.line, chain.line);
    if (replaced !== undefined) await this.insertReplacement(tx, chain.proposal);
  }

  /** Two lines of an order that choose one creator at once: the second chooses again. */
  private async insertReplacement(tx: Tx, row: ProposalRow): Promise<void> {
    try {
      await this.proposals.insertOne(row, tx.options());
    } catch (error) {
      if (isDuplicate(error)) throw new LostRace('replacement');
      throw error;
    }
  }

  /** A line of the workspace with its newest proposal, as the transaction sees them. */
  async findInTx(tx: Tx, ws: string, lineId: string): Promise<MaybeChain | null> {
    const line = await this.lines.findOne({ _id: lineId, ws }, tx.options());
    if (line === null) return null;
    const proposal = await this.proposals.findOne({ ws, line_id: lineId, attempt: line.attempts }, tx.options());
    return { line, proposal };
  }

  /** The sandboxes with a due proposal at or before `horizon`, each with its earliest instant. */
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
   * The earliest due proposal of one sandbox, except those in `without`: one at a time, since what it becomes may be
   * due before the next, and a search finds whom earlier ones have left.
   */
  async dueInSandbox(ws: string, until: Date, without: readonly string[]): Promise<ProposalRow[]> {
    return this.due({ ws, sandbox: true, ...stepping(without) }, until, 1);
  }

  /** Due proposals of every live workspace, earliest first, except those in `without`. */
  async dueLive(until: NetworkTime, without: readonly string[]): Promise<ProposalRow[]> {
    return this.due({ sandbox: false, ...stepping(without) }, until);
  }

  /** A workspace's proposals that have a due fact, earliest first. */
  async pending(ws: string, limit: number): Promise<ProposalRow[]> {
    return this.proposals
      .find({ ws, due_at: { $type: 'date' } })
      .sort({ due_at: 1, _id: 1 })
      .limit(limit)
      .toArray();
  }

  private due(of: mongo.Filter<ProposalRow>, until: Date, most = DUE_BATCH): Promise<ProposalRow[]> {
    return this.proposals
      .find({ ...of, due_at: { $type: 'date', $lte: until } })
      .sort({ due_at: 1, place: 1, _id: 1 })
      .limit(most)
      .toArray();
  }

  private async replaceLine(tx: Tx, before: OfferLine, after: OfferLine): Promise<void> {
    const done = await this.lines.replaceOne({ _id: before._id, ws: before.ws, rev: before.rev }, after, tx.options());
    if (done.modifiedCount === 0) throw new LostRace('line');
  }

  private async replaceProposal(
    tx: Tx,
    before: ProposalRow,
    after: ProposalRow,
    guard: mongo.Filter<ProposalRow>,
  ): Promise<void> {
    const { _id, ws, rev, state } = before;
    const done = await this.proposals.replaceOne({ _id, ws, rev, state, ...guard }, after, tx.options());
    if (done.modifiedCount === 0) throw new LostRace('proposal');
  }
}

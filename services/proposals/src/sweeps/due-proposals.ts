import { randomUUID } from 'node:crypto';
import { AppError, type Output } from '@cds/contracts';
import {
  type Client,
  Deadline,
  type DueSource,
  inTx,
  Lease,
  type NetworkTime,
  type Outbox,
  type Pauses,
  type RowOutcome,
  type RowRunner,
  type Store,
  systemContext,
} from '@cds/service';
import type { Chain, ProposalRow } from '../domain/chain.js';
import { CHOICES } from '../domain/constants.js';
import type { ProposalDue } from '../domain/due.js';
import { asOneMove, type DueMoves, dueMove, dueMoves, NOBODY } from '../domain/due-move.js';
import type { Move } from '../domain/moves.js';
import type { Found } from '../domain/search.js';
import { unfilledTasks } from '../domain/tasks.js';
import { lineChanged } from '../present/line-changed.js';
import { type Excluded, excludedForEach } from '../search/excluded.js';
import type { Offers } from '../store/offers.js';

/** How many live lines are handled in one transaction; many have their deadline in one minute. */
const LIVE_TOGETHER = 50;
const ONE_TRY_MS = 10_000;

type Due = DueMoves & { before: Chain };
type Searching = Due & { search: ProposalDue };
type Decided = { before: Chain; moves: readonly [Move, ...Move[]] };

/** Each is handled at its own business time (docs/domain/orders.md#clock-jobs). */
export const dueProposals = ({
  store,
  offers,
  outbox,
  calls,
  rows,
}: {
  store: Store;
  offers: Offers;
  outbox: Outbox;
  calls: Client<'replacement_candidates'>;
  rows: RowRunner;
}): DueSource => {
  // Two replicas that handle the same lines at once would undo each other's transactions.
  const lease = new Lease(store, 'live due proposals');

  const searchInOrder = async (
    lines: readonly [Searching, ...Searching[]],
    excluded: ReadonlyMap<string, Excluded>,
    network: NetworkTime,
  ): Promise<[string, Found][]> => {
    const [{ chain, search }] = lines;
    const { ws: workspace, sandbox, campaign_id } = chain.line;
    const ctx = systemContext({ workspace, sandbox, now: search.at, networkNow: network });
    try {
      const found = await calls.replacement_candidates(ctx, {
        campaign_id,
        exclude: excluded.get(chain.line._id)?.onOrder ?? [],
        lines: lines.map(({ chain: { line } }) => ({
          line_id: line._id,
          exclude: excluded.get(line._id)?.ofLine ?? [],
        })),
        // Only the best matter, since the brand chooses among three; each line may take one that the next cannot have.
        most: CHOICES + lines.length - 1,
      });
      return foundByLine(found);
    } catch (error) {
      // A line that planning does not know gets no candidates, and ends with its credit.
      if (error instanceof AppError && error.code === 'not_found') return [];
      throw error;
    }
  };

  const searchAll = async (lines: readonly Searching[], network: NetworkTime): Promise<Map<string, Found>> => {
    const excluded = await excludedForEach(
      offers,
      lines.map(({ chain, search }) => ({ line: chain.line, at: search.at })),
    );
    const orders = new Map<string, [Searching, ...Searching[]]>();
    for (const one of lines) {
      const order = orders.get(one.chain.line.order_id);
      if (order === undefined) orders.set(one.chain.line.order_id, [one]);
      else order.push(one);
    }
    const found = await Promise.all([...orders.values()].map((order) => searchInOrder(order, excluded, network)));
    return new Map(found.flat());
  };

  const handleTogether = async (
    some: readonly ProposalRow[],
    until: Date,
    network: NetworkTime,
  ): Promise<RowOutcome[]> => {
    const chains = await offers.chainsOfNewest(some);
    const due = some.map((row): Due | null => {
      const before = chains.get(row._id);
      const moves = before === undefined ? null : dueMoves(before, until, randomUUID);
      return before === undefined || moves === null ? null : { ...moves, before };
    });
    const lines = due.filter((one) => one !== null);
    const found = await searchAll(lines.filter(isSearching), network);
    const decided = decide(lines, found);

    await inTx(store, Deadline.in(ONE_TRY_MS), async (tx) => {
      await offers.saveAll(
        tx,
        decided.map(({ before, moves }) => ({ before, move: asOneMove(moves) })),
      );
      await outbox.add(tx, decided.flatMap(eventsOf), network);
    });
    const handled = new Map(decided.map(({ before, moves }) => [before.proposal._id, moves.length]));
    return some.map((row) => handled.get(row._id) ?? 0);
  };

  const handleAll = (
    find: (without: readonly string[]) => Promise<ProposalRow[]>,
    until: Date,
    network: NetworkTime,
    pauses: Pauses,
    most = 1,
  ): Promise<number> =>
    rows.run(
      {
        name: 'due proposals',
        find,
        idOf: (row) => row._id,
        handle: async (row) => (await handleTogether([row], until, network))[0] ?? 0,
        together: { most, handle: (some) => handleTogether(some, until, network) },
        repeats: true,
      },
      pauses,
    );

  return {
    sandboxesDue: (horizon) => offers.sandboxesDue(horizon),
    handleSandbox: (ws, until, network, pauses) =>
      handleAll((without) => offers.dueInSandbox(ws, until, without), until, network, pauses),
    handleLive: (network) =>
      handleAll(
        async (without) => ((await lease.hold()) ? offers.dueLive(network, without) : []),
        network,
        network,
        'kept',
        LIVE_TOGETHER,
      ),
  };
};

const isSearching = (one: Due): one is Searching => one.search !== null;

const foundByLine = ({ replacements, candidates, lines }: Output<'replacement_candidates'>): [string, Found][] => {
  const byUnit = new Map(candidates.map((candidate) => [candidate.unit_id, candidate]));
  return lines.map(({ line_id, unit_ids }) => [
    line_id,
    { replacements, candidates: unit_ids.flatMap((id) => byUnit.get(id) ?? []) },
  ]);
};

const decide = (lines: readonly Due[], found: ReadonlyMap<string, Found>): Decided[] => {
  const taken = new Set<string>();
  return lines.flatMap(({ before, moves, chain, search }) => {
    const all = [...moves];
    if (search !== null) {
      const { _id, order_id } = chain.line;
      const { replacements, candidates } = found.get(_id) ?? NOBODY;
      const left = candidates.filter(({ creator_id }) => !taken.has(`${order_id}|${creator_id}`));
      const move = dueMove(chain, search, { replacements, candidates: left }, randomUUID);
      if (move.replaced !== undefined) taken.add(`${order_id}|${move.chain.line.creator_id}`);
      all.push(move);
    }
    const [first, ...rest] = all;
    return first === undefined ? [] : { before, moves: [first, ...rest] };
  });
};

const eventsOf = ({ before, moves }: Decided) =>
  moves.flatMap((move, index) => {
    const tasks = unfilledTasks(moves[index - 1]?.chain ?? before, move.chain);
    return [
      ...(move.emits ? [{ name: 'line.changed' as const, payload: lineChanged(move.chain) }] : []),
      ...tasks.map((payload) => ({ name: 'proposals_task.opened' as const, payload })),
    ];
  });

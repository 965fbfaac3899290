import { randomUUID } from 'node:crypto';
import { AppError } from '@cds/contracts';
import {
  type Client,
  Deadline,
  type DueSource,
  inTx,
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
import { dueMove, dueNow, NOBODY } from '../domain/due-move.js';
import { type Found, isSearchOver } from '../domain/search.js';
import { unfilledTasks } from '../domain/tasks.js';
import { lineChanged } from '../present/line-changed.js';
import { excludedFor } from '../search/excluded.js';
import type { Offers } from '../store/offers.js';

/** How many live lines are handled at the same time; many have their deadline in one minute. */
const LIVE_AT_ONCE = 8;
/** How long handling one due fact may take. */
const ONE_FACT_MS = 10_000;

/**
 * Expiry, non-delivery, searches, ends of lines and sandbox creators' choices, each handled at its own business time
 * (docs/domain/orders.md#clock-jobs, docs/domain/orders.md#sandbox-creators).
 */
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
  /** Who may take the line over now; only the best matter, since the brand chooses among three. */
  const search = async ({ line }: Chain, at: Date, network: NetworkTime): Promise<Found> => {
    const ctx = systemContext({ workspace: line.ws, sandbox: line.sandbox, now: at, networkNow: network });
    const exclude = await excludedFor(offers, line, at);
    try {
      return await calls.replacement_candidates(ctx, {
        campaign_id: line.campaign_id,
        line_id: line._id,
        exclude,
        most: CHOICES,
      });
    } catch (error) {
      // A line that planning does not know has nobody, and ends with its credit.
      if (error instanceof AppError && error.code === 'not_found') return NOBODY;
      throw error;
    }
  };

  const handleOne = async (row: ProposalRow, until: Date, network: NetworkTime): Promise<RowOutcome> => {
    const chain = await offers.byLine(row.ws, row.line_id);
    if (chain === null || chain.proposal === null || chain.proposal._id !== row._id) return 0;
    const before = { line: chain.line, proposal: chain.proposal };
    const due = dueNow(before, until);
    if (due === null) return 0;
    const searches = due.kind === 'replacement_search' && !isSearchOver(before.line, due.at);
    const found = searches ? await search(before, due.at, network) : null;
    const move = dueMove(before, due, found, randomUUID);

    await inTx(store, Deadline.in(ONE_FACT_MS), async (tx) => {
      await offers.save(tx, before, move);
      const tasks = unfilledTasks(before, move.chain);
      await outbox.add(
        tx,
        [
          ...(move.emits ? [{ name: 'line.changed' as const, payload: lineChanged(move.chain) }] : []),
          ...tasks.map((payload) => ({ name: 'proposals_task.opened' as const, payload })),
        ],
        network,
      );
    });
    return 1;
  };

  const handleAll = (
    find: (without: readonly string[]) => Promise<ProposalRow[]>,
    until: Date,
    network: NetworkTime,
    pauses: Pauses,
    atOnce = 1,
  ): Promise<number> =>
    rows.run(
      {
        name: 'due proposals',
        find,
        atOnce,
        idOf: (row) => row._id,
        handle: (row) => handleOne(row, until, network),
        repeats: true,
      },
      pauses,
    );

  return {
    sandboxesDue: (horizon) => offers.sandboxesDue(horizon),
    handleSandbox: (ws, until, network, pauses) =>
      handleAll((without) => offers.dueInSandbox(ws, until, without), until, network, pauses),
    handleLive: (network) =>
      handleAll((without) => offers.dueLive(network, without), network, network, 'kept', LIVE_AT_ONCE),
  };
};

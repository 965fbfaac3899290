import {
  Deadline,
  type DueSource,
  inTx,
  type NetworkTime,
  type Outbox,
  type Pauses,
  type RowOutcome,
  type RowRunner,
  type Store,
} from '@cds/service';
import type { ProposalRow } from '../domain/chain.js';
import { dueMove } from '../domain/due-move.js';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';

/** How long handling one due fact may take. */
const ONE_FACT_MS = 10_000;

/**
 * Expiry, non-delivery and sandbox creators' choices, each handled at its own business time
 * (docs/domain/orders.md#clock-jobs, docs/domain/orders.md#sandbox-creators).
 */
export const dueProposals = ({
  store,
  offers,
  outbox,
  rows,
}: {
  store: Store;
  offers: Offers;
  outbox: Outbox;
  rows: RowRunner;
}): DueSource => {
  const handleOne = async (row: ProposalRow, until: Date, network: NetworkTime): Promise<RowOutcome> => {
    const chain = await offers.byLine(row.ws, row.line_id);
    if (chain === null || chain.proposal === null || chain.proposal._id !== row._id) return 0;
    const before = { line: chain.line, proposal: chain.proposal };
    const move = dueMove(before, until);
    if (move === null) return 0;

    await inTx(store, Deadline.in(ONE_FACT_MS), async (tx) => {
      await offers.save(tx, before, move);
      if (move.emits) await outbox.add(tx, [{ name: 'line.changed', payload: lineChanged(move.chain) }], network);
    });
    return 1;
  };

  const handleAll = (
    find: (without: readonly string[]) => Promise<ProposalRow[]>,
    until: Date,
    network: NetworkTime,
    pauses: Pauses,
  ): Promise<number> =>
    rows.run(
      {
        name: 'due proposals',
        find,
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
    handleLive: (network) => handleAll((without) => offers.dueLive(network, without), network, network, 'kept'),
  };
};

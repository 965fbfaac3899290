import { Deadline, type DueSource, inTx, LostRace, type Outbox, type Store, type SweepTime } from '@cds/service';
import type { ProposalRow } from '../domain/chain.js';
import { dueMove } from '../domain/moves.js';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';

/** How long one due fact may take. */
const ONE_FACT_MS = 10_000;

/** Expiry, delivery and the sandbox creators' choices, each handled at its own business time (domain 3-orders 15, 16). */
export const dueProposals = ({
  store,
  offers,
  outbox,
}: {
  store: Store;
  offers: Offers;
  outbox: Outbox;
}): DueSource => {
  const handleOne = async (row: ProposalRow, until: Date, time: SweepTime): Promise<number> => {
    const chain = await offers.byLine(row.ws, row.line_id);
    if (chain === null || chain.proposal === null || chain.proposal._id !== row._id) return 0;
    const before = { line: chain.line, proposal: chain.proposal };
    const move = dueMove(before, until);
    if (move === null) return 0;

    try {
      await inTx(store, Deadline.in(ONE_FACT_MS), async (tx) => {
        await offers.save(tx, before, move);
        if (move.told) {
          await outbox.add(tx, [{ name: 'line.changed', payload: lineChanged(move.chain) }], time.network);
        }
      });
    } catch (error) {
      if (error instanceof LostRace) return 0; // An answer or another replica was first; the next look sees what it left.
      throw error;
    }
    return 1;
  };

  const handleAll = async (find: () => Promise<ProposalRow[]>, until: Date, time: SweepTime): Promise<number> => {
    let handled = 0;
    for (;;) {
      let moved = 0;
      for (const row of await find()) moved += await handleOne(row, until, time);
      handled += moved;
      if (moved === 0) return handled;
    }
  };

  return {
    sandboxesDue: (horizon) => offers.sandboxesDue(horizon),
    handleSandbox: (ws, until, time) => handleAll(() => offers.dueInSandbox(ws, until), until, time),
    handleLive: (time) => handleAll(() => offers.dueLive(time.network), time.network, time),
  };
};

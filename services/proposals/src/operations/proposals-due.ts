import type { AdvanceClock, ReadHandler, WriteHandler } from '@cds/service';
import { dueFactsOf } from '../domain/due.js';
import type { Offers } from '../store/offers.js';

const SHOWN = 50;

export const proposalsDue: ReadHandler<'proposals_due', { offers: Offers }> = async (_ctx, input, { offers }) => {
  const rows = await offers.pending(input.workspace, SHOWN);

  const facts = rows.flatMap(dueFactsOf).sort((one, other) => one.at.getTime() - other.at.getTime());

  return { pending: facts.slice(0, SHOWN).map(({ kind, at }) => ({ kind, due_at: at.toISOString() })) };
};

/** Source: docs/reliability.md#clocks, docs/domain/sandbox.md#sandbox. */
export const proposalsClockSet: WriteHandler<'proposals_clock_set', { advanceClock: AdvanceClock }> = async (
  ctx,
  input,
  { advanceClock },
) => advanceClock(input.workspace, input.offset_ms, ctx.deadline);

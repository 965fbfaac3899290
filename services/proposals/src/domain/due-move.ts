import type { Chain } from './chain.js';
import { dueFactsOf } from './due.js';
import { accept, book, bookingDay, decline, forgetPersona, giveUp, type Move, mayBook, mayBookLater } from './moves.js';

// The move of a chain's earliest due fact (docs/domain/orders.md#clock-jobs, docs/domain/orders.md#sandbox-creators).

/** A late acceptance still counts: the line has no later attempt, is not cancelled and has a day left to book. */
const mayAcceptLate = ({ line, proposal }: Chain, at: Date): boolean =>
  !line.cancelled && line.attempts === proposal.attempt && bookingDay(line, at) !== null;

/**
 * The earliest due fact of a chain at or before `until`, handled at its own time; null when none is due. So one jump of
 * ten days equals ten jumps of one. Source: docs/domain/orders.md#clock-jobs, docs/domain/orders.md#sandbox-creators.
 */
export const dueMove = (chain: Chain, until: Date): Move | null => {
  const due = dueFactsOf(chain.proposal)[0];
  if (due === undefined || due.at > until) return null;
  const { persona } = chain.proposal;
  const day = (): string | null =>
    persona?.date !== null && persona?.date !== undefined && mayBook(chain.line, persona.date, due.at)
      ? persona.date
      : bookingDay(chain.line, due.at);
  switch (due.kind) {
    case 'proposal_expiry':
    case 'proposal_undelivered':
      return giveUp(chain, due.at);
    case 'proposal_answer':
      if (persona?.answer !== 'accept') return decline(chain, due.at, null);
      if (day() === null) return forgetPersona(chain);
      return accept(chain, due.at, persona.books_at_once || !mayBookLater(chain.line, due.at) ? day() : null);
    case 'proposal_booking':
      return book(chain, due.at, day() ?? chain.line.launch_window_end);
    case 'proposal_late':
      return mayAcceptLate(chain, due.at) ? accept(chain, due.at, day()) : forgetPersona(chain);
  }
};

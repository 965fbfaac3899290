// The move of a chain's earliest due fact (docs/domain/orders.md#clock-jobs, docs/domain/orders.md#sandbox-creators).
import type { Chain } from './chain.js';
import { dueFactsOf, type ProposalDue } from './due.js';
import {
  accept,
  askBrand,
  book,
  bookingDay,
  decline,
  endLine,
  forgetPersona,
  giveUp,
  type Move,
  mayBook,
  mayBookLater,
  replace,
  unfilled,
} from './moves.js';
import { type Found, isSearchOver, resultOf } from './search.js';

/** A late acceptance still counts: the line has no later attempt, is not cancelled and has a day left to book. */
const mayAcceptLate = ({ line, proposal }: Chain, at: Date): boolean =>
  !line.cancelled && line.attempts === proposal.attempt && bookingDay(line, at) !== null;

export const dueNow = ({ proposal }: Chain, until: Date): ProposalDue | null => {
  const due = dueFactsOf(proposal)[0];
  return due === undefined || due.at > until ? null : due;
};

/** A fact is handled at its own time, so one jump of ten days equals ten jumps of one. */
export const dueMove = (chain: Chain, due: ProposalDue, found: Found | null, newId: () => string): Move => {
  const { persona } = chain.proposal;
  const day = (): string | null =>
    persona?.date != null && mayBook(chain.line, persona.date, due.at) ? persona.date : bookingDay(chain.line, due.at);
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
    case 'replacement_search':
      return searched(chain, due.at, found, newId);
    case 'line_end':
      return endLine(chain, due.at);
  }
};

/** What falls due of a chain at one instant, and the search that follows; what that search makes due comes later. */
export type DueMoves = { moves: readonly Move[]; chain: Chain; search: ProposalDue | null };

/** The moves of a chain's earliest instant at or before `until`; null when nothing is due. */
export const dueMoves = (chain: Chain, until: Date, newId: () => string): DueMoves | null => {
  const first = dueNow(chain, until);
  if (first === null) return null;
  const moves: Move[] = [];
  let now = chain;
  for (let due: ProposalDue | null = first; due !== null; due = dueNow(now, first.at)) {
    if (due.kind === 'replacement_search' && !isSearchOver(now.line, due.at)) return { moves, chain: now, search: due };
    const move = dueMove(now, due, null, newId);
    moves.push(move);
    now = move.chain;
  }
  return { moves, chain: now, search: null };
};

/** Only a proposal that awaits its answer has a window, and it awaits none after its first move with one. */
export const asOneMove = (moves: readonly [Move, ...Move[]]): Move => ({
  ...(moves.at(-1) ?? moves[0]),
  window: moves.find(({ window }) => window !== null)?.window ?? null,
});

export const NOBODY: Found = { replacements: 'auto', candidates: [] };

const searched = (chain: Chain, at: Date, found: Found | null, newId: () => string): Move => {
  const result = resultOf(chain, found ?? NOBODY, at);
  switch (result.kind) {
    case 'ask':
      return askBrand(chain, result.search);
    case 'replace':
      return replace(chain, at, result.replacement, newId());
    case 'unfilled':
      return unfilled(chain, at, result.search);
  }
};

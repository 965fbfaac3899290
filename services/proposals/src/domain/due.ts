// Deadlines and choices stored on a proposal, which a sweep finds (docs/reliability.md#due-facts).
import type { DueFactKind } from '@cds/contracts';
import type { ProposalRow } from './chain.js';

export const DUE_KINDS = [
  'proposal_expiry',
  'proposal_undelivered',
  'proposal_answer',
  'proposal_booking',
  'proposal_late',
  'replacement_search',
  'line_end',
] as const satisfies readonly DueFactKind[];
export type DueKind = (typeof DUE_KINDS)[number];
export type ProposalDue = { kind: DueKind; at: Date };

type Waiting = Omit<ProposalRow, 'due_at'>;

const factsOf = (row: Waiting): { kind: DueKind; at: Date | null | undefined }[] => {
  if (row.withdrawn_at !== null) return [];
  return [
    ...answerFactsOf(row),
    { kind: 'replacement_search', at: row.search?.next_at },
    { kind: 'line_end', at: row.ends_at },
  ];
};

const answerFactsOf = (row: Waiting): { kind: DueKind; at: Date | null | undefined }[] => {
  switch (row.state) {
    case 'sending':
      return [{ kind: 'proposal_undelivered', at: row.undelivered_at }];
    case 'sent':
      return [
        { kind: 'proposal_expiry', at: row.expires_at },
        { kind: 'proposal_answer', at: row.persona?.answer_at },
        { kind: 'proposal_late', at: row.persona?.late_at },
      ];
    case 'accepted':
      return [{ kind: 'proposal_booking', at: row.persona?.booking_at }];
    case 'no_reply':
    case 'unfilled':
      return [{ kind: 'proposal_late', at: row.persona?.late_at }];
    case 'declined':
      return [];
  }
};

/** What will still happen to a proposal, earliest first; the expiry precedes an answer at the same instant (I30). */
export const dueFactsOf = (row: Waiting): ProposalDue[] =>
  factsOf(row)
    .flatMap(({ kind, at }) => (at instanceof Date ? [{ kind, at }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());

export const withDue = (row: ProposalRow): ProposalRow => ({ ...row, due_at: dueFactsOf(row)[0]?.at ?? null });

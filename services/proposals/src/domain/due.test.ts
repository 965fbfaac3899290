import { describe, expect, it } from '@jest/globals';
import { anOrder, begun } from '../test/builders.js';
import type { Persona, ProposalRow } from './chain.js';
import { type DueKind, dueFactsOf, withDue } from './due.js';

const hour = (of: number): Date => new Date(Date.UTC(2026, 10, 22, of));
const PERSONA: Persona = {
  answer: 'accept',
  answer_at: hour(3),
  books_at_once: true,
  booking_at: hour(4),
  late_at: hour(5),
  date: null,
};
/** A proposal with every time that it can have; the sooner ones come first. */
const aRow = (over: Partial<ProposalRow>): ProposalRow => {
  const order = anOrder();
  const chain = begun(order, 'proposal');
  return {
    ...chain.proposal,
    undelivered_at: hour(1),
    expires_at: hour(2),
    persona: PERSONA,
    search: { next_at: hour(6), choose_until: null, candidates: [] },
    ends_at: hour(7),
    ...over,
  };
};

/** docs/domain/orders.md#clock-jobs. */
describe('what falls due of a proposal', () => {
  const always: DueKind[] = ['replacement_search', 'line_end'];
  it.each<[state: ProposalRow['state'], kinds: DueKind[]]>([
    ['sending', ['proposal_undelivered', ...always]],
    ['sent', ['proposal_expiry', 'proposal_answer', 'proposal_late', ...always]],
    ['accepted', ['proposal_booking', ...always]],
    ['declined', always],
    ['no_reply', ['proposal_late', ...always]],
    ['unfilled', ['proposal_late', ...always]],
  ])('that is %s: %j', (state, kinds) => {
    expect(dueFactsOf(aRow({ state })).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('is nothing once it was withdrawn', () => {
    expect(dueFactsOf(aRow({ withdrawn_at: hour(0) }))).toEqual([]);
    expect(withDue(aRow({ withdrawn_at: hour(0) })).due_at).toBeNull();
  });

  it('is what its row has, without a person’s choices, a search or an end', () => {
    const { search: _search, ends_at: _end, ...older } = aRow({ persona: null });
    expect(dueFactsOf(older)).toEqual([{ kind: 'proposal_expiry', at: hour(2) }]);
    expect(dueFactsOf({ ...older, state: 'accepted' })).toEqual([]);
    expect(dueFactsOf({ ...older, state: 'no_reply', search: null, ends_at: null })).toEqual([]);
  });

  it('comes in the order of time, an expiry before an answer of the same instant (I30)', () => {
    const row = aRow({ expires_at: hour(3), ends_at: hour(1) });
    expect(dueFactsOf(row).map(({ kind }) => kind)).toEqual([
      'line_end',
      'proposal_expiry',
      'proposal_answer',
      'proposal_late',
      'replacement_search',
    ]);
    expect(withDue(row)).toEqual({ ...row, due_at: hour(1) });
  });
});

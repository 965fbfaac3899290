import { describe, expect, it } from '@jest/globals';
import { type LineAhead, lineNext, NOTHING_AHEAD } from './line-next.js';
import { paidNotes } from './paid-notes.js';
import { type LineProgress, NO_PROGRESS } from './stage.js';

const NOTHING: LineAhead = {
  ...NOTHING_AHEAD,
  ends_at: '2026-12-21T00:00:00.000Z',
  scheduled_date: '2026-12-05',
};
const candidate = {
  unit_id: 'u',
  creator_id: 'c',
  name: 'Bea',
  price_cents: 50_000,
  expected_views: 12_000,
  match_score: 70,
};
const CHOICE = {
  next_at: '2026-11-23T10:00:00.000Z',
  choose_until: '2026-11-23T10:00:00.000Z',
  candidates: [candidate],
};
const AGAIN = { next_at: '2026-11-24T06:00:00.000Z', choose_until: null, candidates: [] };
const CREDIT = [{ cause: 'unfilled' as const, amount_cents: 60_000 }];
const post = (status: 'live' | 'blocked' | 'completed', blocked_reason: string | null = null) => ({
  booked: true,
  proposal_state: 'accepted' as const,
  post: { status, blocked_reason },
});

/** docs/domain/orders.md#what-comes-next. */
describe('what comes next on a paid line', () => {
  it.each<[string, Partial<LineProgress>, Partial<LineAhead>, RegExp, string | null]>([
    ['before delivery', { proposal_state: 'sending' }, {}, /on its way/, '2026-12-21T00:00:00.000Z'],
    [
      'while asked',
      { proposal_state: 'sent' },
      { expires_at: '2026-11-23T12:00:00.000Z' },
      /48 hours/,
      '2026-11-23T12:00:00.000Z',
    ],
    ['without a day', { proposal_state: 'accepted' }, {}, /book a day/, '2026-12-21T00:00:00.000Z'],
    [
      'while the brand chooses',
      { proposal_state: 'declined' },
      { search: CHOICE },
      /over the REST API/,
      '2026-11-23T10:00:00.000Z',
    ],
    ['between searches', { proposal_state: 'unfilled' }, { search: AGAIN }, /Looking for/, '2026-11-24T06:00:00.000Z'],
    ['after the last search', { proposal_state: 'unfilled' }, {}, /too little/, '2026-12-21T00:00:00.000Z'],
    [
      'once booked',
      { booked: true, proposal_state: 'accepted' },
      {},
      /^Booked for 2026-12-05\. If the post has not come 3 days later/,
      '2026-12-09T00:00:00.000Z',
    ],
    ['once live', post('live'), { published_at: '2026-12-05T10:00:00.000Z' }, /^Live/, '2026-12-12T10:00:00.000Z'],
    [
      'once gone',
      post('blocked', 'post_gone'),
      { post_next: { kind: 'remedy', at: '2026-12-09T00:00:00.000Z' } },
      /removed/,
      '2026-12-09T00:00:00.000Z',
    ],
    ['once proved', post('completed'), {}, /Still up after 7 days\.$/, null],
    [
      'after a cheaper replacement',
      post('completed'),
      { credits: [{ cause: 'cheaper', amount_cents: 1_050 }] },
      /\$10\.50 is credited/,
      null,
    ],
    [
      'once cancelled',
      { cancelled: true },
      { cancel_cause: 'unfilled', credits: CREDIT },
      /No creator took the post\. \$600\.00 is/,
      null,
    ],
    ['once the team cancelled it', { cancelled: true }, {}, /^Cancelled\. The team cancelled the post\.$/, null],
  ])('%s', (_when, progress, ahead, text, at) => {
    const next = lineNext({ ...NO_PROGRESS, ...progress }, { ...NOTHING, ...ahead }, 'paid');
    expect(next?.text).toMatch(text);
    expect(next?.at).toBe(at);
  });

  it('names whom the brand may choose', () => {
    const next = lineNext({ ...NO_PROGRESS, proposal_state: 'no_reply' }, { ...NOTHING, search: CHOICE }, 'paid');
    expect(next?.candidates).toEqual([candidate]);
  });

  it.each(['unpaid', 'processing', 'cancelled', 'refunded', null] as const)(
    'is nothing while the order is %s',
    (order) => {
      expect(lineNext({ ...NO_PROGRESS, proposal_state: 'sent' }, NOTHING, order)).toBeNull();
    },
  );
});

/** docs/domain/plans.md#notes. */
describe('the notes of a paid campaign', () => {
  const lines = [
    { progress: { ...NO_PROGRESS, proposal_state: 'declined' as const }, ahead: { ...NOTHING, search: CHOICE } },
    { progress: { ...NO_PROGRESS, ...post('blocked', 'post_gone') }, ahead: NOTHING },
    { progress: { ...NO_PROGRESS, cancelled: true }, ahead: { ...NOTHING, credits: CREDIT } },
  ];

  it('name the choice, what went wrong and what is credited, in this order', () => {
    const notes = paidNotes(lines, 'paid');
    expect(notes.map(({ kind }) => kind)).toEqual(['replacement_choice', 'post_blocked', 'credited']);
    expect(notes[0]?.text).toBe(
      '1 post lost its creator. Choose a replacement over the REST API before 2026-11-23T10:00:00.000Z, or the search takes the first candidate.',
    );
    expect(notes[2]).toEqual({
      kind: 'credited',
      text: '$600.00 of this order is credited to you. The next step of each line says how much is for it.',
      fields: ['plan.lines.next'],
    });
  });

  it('are none when all is well, or the order has ended', () => {
    expect(paidNotes([{ progress: { ...NO_PROGRESS, ...post('live') }, ahead: NOTHING }], 'paid')).toEqual([]);
    expect(paidNotes(lines, 'refunded')).toEqual([]);
  });
});

describe('a line that was cancelled', () => {
  it.each([
    ['unfilled', 'No creator took the post.'],
    ['undated', 'No day was booked in time.'],
    ['post_missing', 'The post did not come.'],
    ['post_gone', 'The post was removed before its proof.'],
    ['no_disclosure', 'The post did not disclose the partnership.'],
    ['dispute', 'Your claim was accepted.'],
    ['cancelled', 'The team cancelled the post.'],
    [null, 'The team cancelled the post.'],
  ] as const)('for the cause %s says why', (cancel_cause, why) => {
    const next = lineNext(
      { ...NO_PROGRESS, cancelled: true },
      { ...NOTHING_AHEAD, cancel_cause },
      'partially_refunded',
    );
    expect(next).toEqual({ text: `Cancelled. ${why}`, at: null });
  });
});

import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW } from '../../test/builders.js';
import { NOTHING_AHEAD } from './line-next.js';
import {
  choicesUntil,
  isLost,
  isPaid,
  launchPostToCome,
  type PaidLine,
  paidNotes,
  quotesToCome,
} from './paid-notes.js';
import { type LineProgress, NO_PROGRESS } from './stage.js';

type Search = NonNullable<PaidLine['ahead']['search']>;
const paid = (progress: Partial<LineProgress>, ahead: Partial<PaidLine['ahead']> = {}): PaidLine => ({
  progress: { ...NO_PROGRESS, ...progress },
  ahead: { ...NOTHING_AHEAD, ...ahead },
});
const search = (over: Partial<Search>): Search => ({ next_at: null, choose_until: null, candidates: [], ...over });
const LOOKS = search({ next_at: '2026-12-02T06:00:00.000Z' });
const CHOOSES = search({ next_at: '2026-12-03T06:00:00.000Z', choose_until: '2026-12-03T06:00:00.000Z' });
const blocked = { status: 'blocked', blocked_reason: 'post_gone' } as const;
const credit = (amount_cents: number) => ({ cause: 'dispute' as const, amount_cents });
const kinds = (lines: PaidLine[], state: Parameters<typeof paidNotes>[1] = 'paid') =>
  paidNotes(lines, state).map(({ kind }) => kind);

/** docs/domain/plans.md#notes. */
describe('a note on a paid campaign', () => {
  it.each([
    [true, 'paid'],
    [true, 'partially_refunded'],
    [false, 'unpaid'],
    [false, 'refunded'],
    [false, null],
  ] as const)('is made: %s, while its order is %s', (made, state) => {
    expect(kinds([paid({}, { credits: [credit(1)] })], state)).toEqual(made ? ['credited'] : []);
    const order = state === null ? null : ({ payment_state: state } as never);
    expect(isPaid({ order })).toBe(made);
  });

  it.each<[kinds: string[], what: string, line: PaidLine]>([
    [[], 'that waits for an answer', paid({ proposal_state: 'sent' }, { search: LOOKS })],
    [['replacement_search'], 'whose creator declined', paid({ proposal_state: 'declined' }, { search: LOOKS })],
    [['replacement_search'], 'whose creator did not answer', paid({ proposal_state: 'no_reply' }, { search: LOOKS })],
    [['replacement_search'], 'for which nobody was found', paid({ proposal_state: 'unfilled' }, { search: LOOKS })],
    [[], 'that nobody looks for any more', paid({ proposal_state: 'unfilled' }, { search: search({}) })],
    [[], 'without a search', paid({ proposal_state: 'declined' })],
    [[], 'that is booked', paid({ booked: true, proposal_state: 'declined' }, { search: LOOKS })],
    [[], 'that is cancelled', paid({ cancelled: true, proposal_state: 'declined' }, { search: CHOOSES })],
    [
      ['replacement_choice'],
      'that the brand may choose for',
      paid({ proposal_state: 'declined' }, { search: CHOOSES }),
    ],
    [['post_blocked'], 'whose post is gone', paid({ booked: true, post: blocked })],
    [[], 'whose post is live', paid({ booked: true, post: { status: 'live', blocked_reason: null } })],
    [[], 'without a post', paid({ booked: true })],
    [[], 'that is cancelled with its post', paid({ booked: true, cancelled: true, post: blocked })],
    [[], 'of another creator’s post', paid({ post: blocked })],
    [['credited'], 'that owes money', paid({ cancelled: true }, { credits: [credit(100)] })],
    [[], 'that owes nothing', paid({ cancelled: true }, { credits: [credit(0)] })],
  ])('is %j on a line %s', (expected, _what, line) => {
    expect(kinds([line])).toEqual(expected);
  });

  const lost = paid({ proposal_state: 'declined' }, { search: LOOKS });
  const choosing = paid({ proposal_state: 'declined' }, { search: CHOOSES });
  const gone = paid({ booked: true, post: blocked });
  const owing = paid({}, { credits: [credit(100_000), credit(50)] });

  it('says of one line what it is about', () => {
    expect(paidNotes([owing, gone, lost, choosing], 'paid')).toEqual([
      {
        kind: 'replacement_choice',
        text: '1 post lost its creator. Choose a replacement over the REST API before 2026-12-03T06:00:00.000Z, or the search takes the first candidate.',
        fields: ['plan.lines.next.candidates'],
      },
      ...paidNotes([owing, gone, lost], 'paid'),
    ]);
    const texts = paidNotes([owing, gone, lost], 'paid');
    expect(new Set(texts.map(({ text }) => text))).toEqual(
      new Set([
        '$1,000.50 of this order is credited to you. The next step of each line says how much is for it.',
        '1 post is missing, removed or not disclosed. Its next step says what happens and when.',
        '1 post lost its creator. A replacement is being looked for.',
      ]),
    );
    expect(texts.map(({ fields }) => fields)).toContainEqual(['plan.lines']);
    expect(texts.filter(({ fields }) => fields[0] === 'plan.lines.next')).toHaveLength(2);
  });

  it('counts several lines', () => {
    const [text] = paidNotes([lost, lost], 'paid').map((note) => note.text);
    expect(text).toBe('2 posts lost their creators. A replacement is being looked for.');
    expect(paidNotes([gone, gone], 'paid')[0]?.text).toMatch(/^2 posts are missing/);
    expect(paidNotes([choosing, choosing], 'paid')[0]?.text).toMatch(/^2 posts lost their creators\. Choose/);
    expect(paidNotes([owing, owing], 'paid')[0]?.text).toMatch(/^\$2,001\.00 of/);
  });

  it('names the earliest choice first', () => {
    const until = (choose_until: string) => paid({}, { search: search({ choose_until }) });
    expect(choicesUntil([until('2026-12-09'), until('2026-12-03'), lost])).toEqual(['2026-12-03', '2026-12-09']);
  });

  it('is about a creator that is lost', () => {
    expect([isLost(lost.progress), isLost({ ...lost.progress, booked: true }), isLost(NO_PROGRESS)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('the launch post that quotes wait for', () => {
  const campaign = aCampaign();
  const quote = aLine(aUnit({ format: 'quote' }), { id: 'quote' });
  const post = aLine(aUnit(), { id: 'post' });
  const signed = aPlan(campaign, [quote, post], {
    status: 'approved',
    order: { payment_state: 'paid' } as never,
    approved_at: NOW,
  });
  const seen = (progress: Partial<LineProgress>) => new Map([['quote', { progress: { ...NO_PROGRESS, ...progress } }]]);

  it.each<[count: number, what: string, progress: Partial<LineProgress>]>([
    [1, 'planned', {}],
    [1, 'offered', { proposal_state: 'sent' }],
    [1, 'accepted', { proposal_state: 'accepted' }],
    [1, 'booked', { booked: true }],
    [0, 'live', { booked: true, post: { status: 'live', blocked_reason: null } }],
    [0, 'proved', { booked: true, post: { status: 'completed', blocked_reason: null } }],
    [0, 'cancelled', { cancelled: true }],
  ])('counts %i quotes that are %s', (count, _what, progress) => {
    expect(quotesToCome(signed, seen(progress))).toBe(count);
  });

  it('counts quotes of which nothing is known, and none of an order that ended', () => {
    expect(quotesToCome(signed, new Map())).toBe(1);
    expect(quotesToCome({ ...signed, order: { payment_state: 'cancelled' } as never }, new Map())).toBe(0);
    expect(quotesToCome({ ...signed, order: null }, new Map())).toBe(1);
  });

  it('is noted of a signed plan alone', () => {
    expect(launchPostToCome(campaign, signed, new Map())).toEqual([
      {
        kind: 'launch_post_missing',
        text: '1 creator quotes your launch post, and its link is missing. Set the launch_post_url of the campaign before the posts go live: without it their creators have nothing to quote.',
        fields: ['launch_post_url'],
      },
    ]);
    expect(launchPostToCome(campaign, { ...signed, status: 'awaiting_approval' }, new Map())).toEqual([]);
    expect(launchPostToCome(campaign, null, new Map())).toEqual([]);
    const set = { ...campaign, launch_post_url: 'https://x.com/acme/status/1' };
    expect(launchPostToCome(set, signed, new Map())).toEqual([]);
  });
});

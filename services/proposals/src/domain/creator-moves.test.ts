import type { OfferState } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { anOrder, begun } from '../test/builders.js';
import type { OfferLine, ProposalRow } from './chain.js';
import {
  type Answered,
  acceptOffer,
  bookOffer,
  declineForCreator,
  declineOffer,
  delivered,
  movableDays,
  moveBookedDay,
  overBy,
  relinked,
  withdrawOffer,
} from './creator-moves.js';
import { actsOf, isLinkAlive, linkEnd, type Offer, offerState } from './offer-state.js';
import { payoutState } from './payout.js';

const PAID = new Date('2026-11-21T12:00:00.000Z');
const SENT = new Date('2026-11-21T14:00:00.000Z');
const EXPIRES = new Date('2026-11-23T14:00:00.000Z');
const NOW = new Date('2026-11-22T09:00:00.000Z');
const AFTER = new Date('2026-12-21T00:00:00.000Z');

/** A live line, 1 to 20 December 2026 with its day on the 1st, and its first proposal; times are UTC. */
const offered = (
  own: Partial<ProposalRow> = {},
  line: Partial<OfferLine> = {},
  newest?: Partial<ProposalRow>,
): Offer => {
  const chain = begun(anOrder({ sandbox: false }), 'proposal');
  const row = { ...chain.proposal, ...own };
  return {
    line: { ...chain.line, ...line },
    own: row,
    newest: newest === undefined ? row : { ...row, _id: 'next', attempt: 2, ...newest },
  };
};
const SENT_ROW: Partial<ProposalRow> = { state: 'sent', sent_at: SENT, expires_at: EXPIRES, undelivered_at: null };
const ACCEPTED: Partial<ProposalRow> = { ...SENT_ROW, state: 'accepted', open: false, accepted_at: NOW };
const DECLINED: Partial<ProposalRow> = { state: 'declined', open: false, declined_at: NOW };

/** What proposals can be, as their creators meet them. */
const OFFERS: Readonly<Record<string, () => Offer>> = {
  undelivered: () => offered(),
  sent: () => offered(SENT_ROW),
  'past its time, before the sweep': () => offered({ ...SENT_ROW, expires_at: NOW }),
  'not answered': () => offered({ ...SENT_ROW, state: 'no_reply', open: false }),
  'not answered, nobody found': () => offered({ ...SENT_ROW, state: 'unfilled', open: false }),
  'accepted without a day': () => offered(ACCEPTED),
  'accepted with a day': () => offered(ACCEPTED, { booked: true }),
  declined: () => offered(DECLINED),
  'declined, nobody found': () => offered({ ...DECLINED, state: 'unfilled' }),
  'not answered, then given away': () => offered({ ...SENT_ROW, state: 'no_reply' }, { attempts: 2 }, {}),
  'not answered, but withdrawn from before': () => offered({ ...SENT_ROW, state: 'no_reply', decline_reason: 'price' }),
  'withdrawn from, then given away': () =>
    offered({ ...SENT_ROW, state: 'no_reply', decline_reason: 'price' }, { attempts: 2 }, {}),
  'declined, by a row that says its state alone': () => offered({ state: 'declined' }, { attempts: 2 }, {}),
  'not answered, and past its time': () => offered({ ...SENT_ROW, expires_at: NOW, state: 'no_reply', open: false }),
  withdrawn: () => offered({ ...SENT_ROW, withdrawn_at: NOW }),
  'sent without a deadline': () => offered({ ...SENT_ROW, expires_at: null }),
  'declined, then given away': () => offered(DECLINED, { attempts: 2 }, {}),
  'ended by a remedy': () => offered({ ...DECLINED, decline_reason: 'remedy' }),
  cancelled: () => offered({ ...SENT_ROW, withdrawn_at: NOW }, { cancelled: true }),
};
type Name = keyof typeof OFFERS;
const offerOf = (name: Name): Offer => (OFFERS[name] as () => Offer)();
const outcome = (answered: Answered): string =>
  'refusal' in answered ? answered.refusal : `${answered.move.chain.proposal.state}`;

/** docs/domain/orders.md#proposals, docs/domain/pages.md#creator-links. */
describe('a proposal, for its creator', () => {
  const yes = 'accepted';
  const no = 'declined';
  const NOT_ACCEPTED = ['not_accepted', 'not_accepted'] as const;
  const ANSWERED = ['already_answered', 'already_answered', ...NOT_ACCEPTED] as const;
  const CLOSED = ['closed', 'closed', 'closed', 'closed'] as const;
  test.each<
    [name: Name, state: OfferState, acts: string, accept: string, decline: string, date: string, withdraw: string]
  >([
    ['undelivered', 'open', 'accept decline', yes, no, ...NOT_ACCEPTED],
    ['sent', 'open', 'accept decline', yes, no, ...NOT_ACCEPTED],
    ['past its time, before the sweep', 'expired', 'accept', yes, 'closed', ...NOT_ACCEPTED],
    ['not answered', 'expired', 'accept', yes, 'closed', ...NOT_ACCEPTED],
    ['not answered, nobody found', 'expired', 'accept', yes, 'closed', ...NOT_ACCEPTED],
    ['accepted without a day', 'accepted', 'date withdraw', 'already_answered', 'already_answered', yes, no],
    ['accepted with a day', 'booked', '', 'already_answered', 'already_answered', 'date_booked', 'date_booked'],
    ['declined', 'declined', '', ...ANSWERED],
    ['declined, nobody found', 'declined', '', ...ANSWERED],
    ['not answered, then given away', 'replaced', '', 'replaced', 'replaced', 'replaced', 'replaced'],
    ['declined, then given away', 'declined', '', ...ANSWERED],
    ['not answered, but withdrawn from before', 'declined', '', ...ANSWERED],
    ['withdrawn from, then given away', 'declined', '', ...ANSWERED],
    ['declined, by a row that says its state alone', 'declined', '', ...ANSWERED],
    ['withdrawn', 'closed', '', ...CLOSED],
    ['sent without a deadline', 'open', 'accept decline', yes, no, ...NOT_ACCEPTED],
    ['ended by a remedy', 'closed', '', ...CLOSED],
    ['cancelled', 'closed', '', ...CLOSED],
  ])('that is %s: %s', (name, state, acts, accepts, declines, dates, withdraws) => {
    const offer = offerOf(name);
    expect(offerState(offer, NOW)).toBe(state);
    expect(actsOf(offer, NOW).join(' ')).toBe(acts);
    expect({
      accept: outcome(acceptOffer(offer, NOW, null)),
      decline: outcome(declineOffer(offer, NOW, { reason: 'price' })),
      date: outcome(bookOffer(offer, NOW, '2026-12-05')),
      withdraw: outcome(withdrawOffer(offer, NOW, { reason: 'timing' })),
    }).toEqual({ accept: accepts, decline: declines, date: dates, withdraw: withdraws });
  });

  test.each<[date: string, result: string]>([
    ['2026-11-30', 'bad_dates'],
    ['2026-12-01', 'accepted'],
    ['2026-12-20', 'accepted'],
    ['2026-12-21', 'bad_dates'],
  ])('takes a day of the launch window only: %s is %s', (date, result) => {
    expect(outcome(acceptOffer(offerOf('sent'), NOW, date))).toBe(result);
    expect(outcome(bookOffer(offerOf('accepted without a day'), NOW, date))).toBe(result);
  });

  test('takes no day that has passed', () => {
    const later = new Date('2026-12-06T00:00:00.000Z');
    expect(outcome(bookOffer(offerOf('accepted without a day'), later, '2026-12-05'))).toBe('bad_dates');
    expect(outcome(bookOffer(offerOf('accepted without a day'), later, '2026-12-06'))).toBe('accepted');
  });

  test('can be declined or withdrawn, and nothing else, once the launch window is over', () => {
    expect(actsOf(offered({ ...SENT_ROW, expires_at: new Date('2026-12-22T00:00:00Z') }), AFTER)).toEqual(['decline']);
    expect(actsOf(offerOf('accepted without a day'), AFTER)).toEqual(['withdraw']);
    expect(actsOf(offerOf('not answered'), AFTER)).toEqual([]);
    expect(outcome(acceptOffer(offerOf('not answered'), AFTER, null))).toBe('closed');
  });
});

describe('a proposal that nobody answered', () => {
  test.each<[over: boolean, what: string, own: Partial<ProposalRow>, now: string]>([
    [false, 'a moment before its time to answer is over', SENT_ROW, '2026-11-23T13:59:59.999Z'],
    [true, 'when its time to answer is over', SENT_ROW, '2026-11-23T14:00:00.000Z'],
    [false, 'without a deadline', { ...SENT_ROW, expires_at: null }, '2026-12-23T14:00:00.000Z'],
    [false, 'a moment before it counts as undelivered', {}, '2026-11-22T11:59:59.999Z'],
    [true, 'when it counts as undelivered', {}, '2026-11-22T12:00:00.000Z'],
    [false, 'that was accepted meanwhile', ACCEPTED, '2026-12-23T14:00:00.000Z'],
    [false, 'that was accepted on an old row', { ...ACCEPTED, undelivered_at: SENT }, '2026-12-23T14:00:00.000Z'],
    [false, 'that was given up before', { ...SENT_ROW, state: 'no_reply' }, '2026-12-23T14:00:00.000Z'],
  ])('is over: %s, %s', (over, _what, own, now) => {
    const { line, own: proposal } = offered(own);
    const move = overBy({ line, proposal }, new Date(now));
    expect(move?.chain.proposal ?? null).toEqual(
      over ? expect.objectContaining({ state: 'no_reply', updated_at: new Date(now) }) : null,
    );
  });
});

describe('a proposal with a proved post', () => {
  test('stays booked for its creator when the order is cancelled later, and takes no answer', () => {
    const post = { version: 3, status: 'completed' as const, attempt: 1 };
    const proved = offered({ ...ACCEPTED, withdrawn_at: NOW }, { booked: true, cancelled: true, post });
    expect(offerState(proved, NOW)).toBe('booked');
    expect(actsOf(proved, NOW)).toEqual([]);
    expect(payoutState(proved.line)).toBe('due');
    expect(outcome(declineForCreator(proved, NOW, undefined))).toBe('closed');
    const live = { ...proved, line: { ...proved.line, post: { ...post, status: 'live' as const } } };
    expect(offerState(live, NOW)).toBe('closed');
  });
});

describe('an answer', () => {
  const moveOf = (answered: Answered) => {
    if ('refusal' in answered) throw new Error(answered.refusal);
    return answered.move;
  };

  test.each<[name: Name, guard: object | null]>([
    ['undelivered', null],
    ['sent', { open: NOW }],
    ['past its time, before the sweep', { over: NOW }],
    ['not answered', null],
    ['not answered, and past its time', null],
    ['sent without a deadline', { open: NOW }],
  ])('to one that is %s is one change with one event, held to the time it was decided at', (name, guard) => {
    const offer = offerOf(name);
    const move = moveOf(acceptOffer(offer, NOW, '2026-12-05'));
    expect(move).toMatchObject({ emits: true, window: guard });
    expect(move.chain).toMatchObject({
      line: {
        version: offer.line.version + 1,
        rev: offer.line.rev + 1,
        booked: true,
        scheduled_date: '2026-12-05',
        open_attempt: null,
      },
      proposal: { state: 'accepted', accepted_at: NOW, open: false, search: null, ends_at: null },
    });
  });

  test('to one that nobody had delivered counts as its delivery', () => {
    const { proposal } = moveOf(
      declineOffer(offerOf('undelivered'), NOW, { reason: 'fit', note: 'Not my topic.' }),
    ).chain;
    expect(proposal).toMatchObject({
      state: 'declined',
      sent_at: NOW,
      undelivered_at: null,
      declined_at: NOW,
      decline_reason: 'fit',
      decline_note: 'Not my topic.',
      search: { next_at: NOW },
    });
  });

  test.each<[what: string, answered: (decline: { reason?: string; note?: string }) => Answered]>([
    ['declines', (decline) => declineOffer(offerOf('sent'), NOW, decline)],
    ['withdraws', (decline) => withdrawOffer(offerOf('accepted without a day'), NOW, decline)],
  ])('of a creator who %s keeps the reason and the note that it gives', (_what, answer) => {
    expect(moveOf(answer({ reason: 'price', note: 'Too low.' })).chain.proposal).toMatchObject({
      decline_reason: 'price',
      decline_note: 'Too low.',
    });
    const { proposal } = moveOf(answer({})).chain;
    expect(proposal.decline_reason).toBeNull();
    expect(proposal).not.toHaveProperty('decline_note');
  });

  test.each<[name: Name]>([['sent'], ['accepted without a day'], ['accepted with a day']])(
    'of the team for a creator keeps the reason it gives, if any: of one that is %s',
    (name) => {
      const reasonOf = (reason: string | undefined) =>
        moveOf(declineForCreator(offerOf(name), NOW, reason)).chain.proposal.decline_reason;
      expect([reasonOf('price'), reasonOf(undefined)]).toEqual(['price', null]);
    },
  );

  test('of the team for a creator is refused as the creator’s would be', () => {
    expect(outcome(declineForCreator(offerOf('declined'), NOW, undefined))).toBe('already_answered');
    expect(outcome(declineForCreator(offerOf('past its time, before the sweep'), NOW, undefined))).toBe('closed');
    expect(outcome(declineForCreator(offerOf('not answered, then given away'), NOW, undefined))).toBe('replaced');
  });

  test('of a creator who withdraws frees the place and begins the search', () => {
    const { line, proposal } = moveOf(
      withdrawOffer(offerOf('accepted without a day'), NOW, { reason: 'timing' }),
    ).chain;
    expect([line.booked, proposal.state, proposal.search?.next_at]).toEqual([false, 'declined', NOW]);
  });

  test('of the team for a creator may end a booking, until its post is live', () => {
    const booked = offerOf('accepted with a day');
    expect(outcome(declineForCreator(booked, NOW, undefined))).toBe('declined');
    for (const status of ['live', 'blocked', 'completed'] as const) {
      const posted = { ...booked, line: { ...booked.line, post: { version: 1, status } } };
      expect(outcome(declineForCreator(posted, NOW, undefined))).toBe('closed');
    }
    expect(outcome(declineForCreator(offerOf('sent'), NOW, 'price'))).toBe('declined');
  });
});

/** docs/domain/orders.md#line-status. */
describe('a booked day', () => {
  const booked = offerOf('accepted with a day');
  const withPost = (post: OfferLine['post']): Offer => ({ ...booked, line: { ...booked.line, post } });

  test.each<[date: string, now: string, result: string]>([
    ['2026-11-30', '2026-11-25T00:00:00Z', 'bad_dates'],
    ['2026-12-01', '2026-11-25T00:00:00Z', 'accepted'],
    ['2026-12-09', '2026-12-10T00:00:00Z', 'bad_dates'],
    ['2026-12-10', '2026-12-10T23:59:59Z', 'accepted'],
    ['2027-01-03', '2026-12-10T00:00:00Z', 'accepted'],
    ['2027-01-04', '2026-12-10T00:00:00Z', 'bad_dates'],
  ])('moves into the launch window or the 14 days after it, not into the past: to %s at %s is %s', (date, now, is) => {
    expect(outcome(moveBookedDay(booked, new Date(now), date))).toBe(is);
  });

  test.each([
    ['2026-11-30T23:59:59.999Z', '2026-12-01'],
    ['2026-12-01T00:00:00.000Z', '2026-12-01'],
    ['2026-12-02T00:00:00.000Z', '2026-12-02'],
  ])('may move at %s to days from %s', (now, first) => {
    expect(movableDays(booked.line, new Date(now))).toEqual({ first, last: '2027-01-03' });
  });

  test('moves while the post is to come, or missing, and stays once there is one', () => {
    const day = '2026-12-10';
    const to = (offer: Offer): string => outcome(moveBookedDay(offer, NOW, day));
    expect(to(withPost({ version: 1, status: 'booked' }))).toBe('accepted');
    expect(to(withPost({ version: 1, status: 'blocked', blocked_reason: 'post_missing' }))).toBe('accepted');
    for (const blocked_reason of ['post_gone', 'no_disclosure'])
      expect(to(withPost({ version: 1, status: 'blocked', blocked_reason }))).toBe('closed');
    for (const status of ['live', 'completed'] as const) expect(to(withPost({ version: 1, status }))).toBe('closed');
    expect(to(offerOf('accepted without a day'))).toBe('not_accepted');
    expect(to(offerOf('ended by a remedy'))).toBe('closed');
    expect(to(offerOf('not answered, then given away'))).toBe('replaced');
    expect(moveBookedDay(booked, NOW, day)).toMatchObject({
      move: { emits: true, chain: { line: { booked: true, scheduled_date: day, version: booked.line.version + 1 } } },
    });
  });
});

describe('the link of a proposal', () => {
  test('lets the 48 hours begin when its message is delivered', () => {
    const { own: proposal, line } = offerOf('undelivered');
    expect(delivered({ line, proposal }, SENT)).toMatchObject({
      chain: {
        line: { version: line.version + 1 },
        proposal: { state: 'sent', sent_at: SENT, expires_at: EXPIRES, due_at: EXPIRES, undelivered_at: null },
      },
      emits: true,
    });
  });

  test('is void once a new one is made', () => {
    const first = offerOf('sent');
    const { line, proposal } = relinked({ line: first.line, proposal: first.own }).chain;
    const second = { line, own: proposal, newest: proposal };
    expect(relinked({ line: first.line, proposal: first.own })).toMatchObject({ emits: false, window: null });
    expect(line).toEqual({ ...first.line, rev: first.line.rev + 1 });
    expect([isLinkAlive(first, 1, NOW), isLinkAlive(first, 2, NOW)]).toEqual([true, false]);
    expect([isLinkAlive(second, 1, NOW), isLinkAlive(second, 2, NOW)]).toEqual([false, true]);
  });

  test('lives until 30 days after its line was completed or cancelled', () => {
    const completed_at = new Date('2026-12-09T10:00:00.000Z');
    const completed = offered(ACCEPTED, { booked: true, post: { version: 3, status: 'completed', completed_at } });
    const cancelled = offered({ ...SENT_ROW, withdrawn_at: PAID }, { cancelled: true });
    expect(linkEnd(offerOf('sent'))).toBeNull();
    expect(linkEnd(completed)).toEqual(new Date('2027-01-08T10:00:00.000Z'));
    expect(linkEnd(cancelled)).toEqual(new Date('2026-12-21T12:00:00.000Z'));
    expect(isLinkAlive(completed, 1, new Date('2027-01-08T09:59:59.999Z'))).toBe(true);
    expect(isLinkAlive(completed, 1, new Date('2027-01-08T10:00:00.000Z'))).toBe(false);
  });
});

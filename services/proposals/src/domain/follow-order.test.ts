import { describe, expect, it } from '@jest/globals';
import { aBook, anOrder, aSignedLine } from '../test/builders.js';
import { followOrder, type MaybeChain, type OrderChanged, shouldEmit } from './follow-order.js';

const at = (instant: string): Date => new Date(instant);
const SIGNED = aSignedLine({ creator_id: 'creator', scheduled_date: '2026-12-05' });
const anEvent = (over: Partial<OrderChanged> = {}): OrderChanged =>
  anOrder({ order_id: 'order', workspace: 'ws', version: 1, payment_state: 'unpaid', lines: [SIGNED], ...over });
const follow = (event: OrderChanged, before: MaybeChain | null = null, signed = SIGNED): MaybeChain | null =>
  followOrder(event, signed, before, () => 'proposal');
const followed = (event: OrderChanged, before: MaybeChain | null = null): MaybeChain => {
  const after = follow(event, before);
  if (after === null) throw new Error('the event is new');
  return after;
};
const PAID = anEvent({ version: 2, payment_state: 'paid' });

/** docs/reliability.md#payment-events; I29. */
describe('an event of an order', () => {
  it('brings its line as it was signed, before it is paid', () => {
    const event = anEvent();
    expect(follow(event)).toEqual({
      line: {
        _id: SIGNED.line_id,
        ws: 'ws',
        sandbox: true,
        order_id: 'order',
        order_version: 1,
        order_state: 'unpaid',
        plan_id: event.plan_id,
        campaign_id: event.campaign.campaign_id,
        campaign_number: 1,
        number: 1,
        channel: 'x_creators',
        slot: 'Launch post',
        launch_window_start: '2026-12-01',
        launch_window_end: '2026-12-20',
        creator_id: 'creator',
        unit_id: SIGNED.unit_id,
        format: 'post',
        deliverable: 'One post on X',
        price_cents: 60_000,
        expected_views: 18_000,
        views_low: 9_000,
        views_high: 27_000,
        engagement_rate: 2,
        scheduled_date: '2026-12-05',
        booked: false,
        cancelled: false,
        attempts: 0,
        open_attempt: null,
        tried: [],
        post: null,
        version: 0,
        rev: 1,
      },
      proposal: null,
    });
  });

  it('names the seed of its sandbox’s creators where it has one', () => {
    const { campaign } = anEvent();
    expect(followed(anEvent({ campaign: { ...campaign, seed: 7 } })).line.seed).toBe(7);
    expect(followed(anEvent()).line).not.toHaveProperty('seed');
  });

  it.each<[state: OrderChanged['payment_state'], begins: boolean]>([
    ['unpaid', false],
    ['paid', true],
    ['partially_refunded', true],
    ['refunded', false],
    ['cancelled', false],
  ])('that is %s begins a chain: %s', (payment_state, begins) => {
    expect(followed(anEvent({ payment_state })).proposal !== null).toBe(begins);
  });

  it('offers the line when it was paid, or signed if that is not said', () => {
    expect(followed(PAID).proposal).toMatchObject({ _id: 'proposal', sent_at: at('2026-11-21T12:00:00Z') });
    expect(followed({ ...PAID, paid_at: null }).proposal?.sent_at).toEqual(at('2026-11-21T11:00:00Z'));
  });

  it('has no chain for a line that the team places', () => {
    expect(follow(PAID, null, { ...SIGNED, creator_id: null })).toBeNull();
  });

  it.each([
    [1, false],
    [2, false],
    [3, true],
  ])('of version %i after version 2 counts: %s', (version, counts) => {
    expect(follow(anEvent({ version, payment_state: 'paid' }), followed(PAID)) !== null).toBe(counts);
  });

  it('changes no chain that has begun, and keeps what became of its line', () => {
    const before = followed(PAID);
    const booked = { ...before, line: { ...before.line, booked: true } };
    const after = followed(anEvent({ version: 3, payment_state: 'partially_refunded' }), booked);
    expect(after).toEqual({
      line: {
        ...booked.line,
        order_version: 3,
        order_state: 'partially_refunded',
        rev: booked.line.rev + 1,
      },
      proposal: booked.proposal,
    });
  });

  it('begins no chain of a line that is cancelled', () => {
    const { line } = followed(anEvent());
    const cancelled = { line: { ...line, cancelled: true }, proposal: null };
    expect(followed(PAID, cancelled)).toMatchObject({ line: { cancelled: true, order_version: 2 }, proposal: null });
  });

  it.each<[what: string, over: Partial<OrderChanged>, ended: string]>([
    ['cancelled', { cancelled_at: '2026-11-22T10:00:00.000Z' }, '2026-11-22T10:00:00Z'],
    ['refunded', { refunded_at: '2026-11-22T11:00:00.000Z' }, '2026-11-22T11:00:00Z'],
    ['cancelled', {}, '2026-11-21T11:00:00Z'],
    [
      'cancelled',
      { cancelled_at: '2026-11-22T10:00:00.000Z', refunded_at: '2026-11-22T11:00:00.000Z' },
      '2026-11-22T10:00:00Z',
    ],
  ])('that is %s withdraws the line at its end, or when it was signed: %j', (state, over, ended) => {
    const before = followed(PAID);
    const payment_state = state as 'cancelled' | 'refunded';
    expect(followed(anEvent({ version: 3, payment_state, ...over }), before)).toMatchObject({
      line: { cancelled: true, version: before.line.version + 1 },
      proposal: { withdrawn_at: at(ended), due_at: null },
    });
  });

  it('that ends before it was paid cancels the line without a proposal', () => {
    const before = followed(anEvent());
    expect(followed(anEvent({ version: 2, payment_state: 'cancelled' }), before)).toEqual({
      line: {
        ...before.line,
        order_version: 2,
        order_state: 'cancelled',
        cancelled: true,
        rev: before.line.rev + 1,
      },
      proposal: null,
    });
  });

  it('that ends leaves a line alone that was cancelled before', () => {
    const before = followed(PAID);
    const cancelled = { ...before, line: { ...before.line, cancelled: true } };
    const after = followed(anEvent({ version: 3, payment_state: 'cancelled' }), cancelled);
    expect(after.proposal).toEqual(cancelled.proposal);
    expect(after.line.version).toBe(cancelled.line.version);
  });

  it('that ends owes the line what its books credit to it for the cancellation, and nothing of other credits', () => {
    const credit = {
      credit_id: 'credit',
      line_id: SIGNED.line_id,
      cause: 'cancelled' as const,
      amount_cents: 30_000,
      state: 'due' as const,
      note: null,
      at: '2026-11-22T10:00:00.000Z',
    };
    const end = anEvent({ version: 3, payment_state: 'cancelled', cancelled_at: '2026-11-22T10:00:00.000Z' });
    const owed = (...credits: object[]): unknown =>
      followed({ ...end, books: aBook(end, credits as never) }, followed(PAID)).line.credits;
    expect(owed({ ...credit, line_id: 'another' }, { ...credit, cause: 'unfilled' }, credit)).toEqual([
      { cause: 'cancelled', amount_cents: 30_000, at: at('2026-11-22T10:00:00Z') },
    ]);
    expect(owed({ ...credit, line_id: 'another' }, { ...credit, cause: 'unfilled' })).toEqual([]);
    expect(followed(end, followed(PAID)).line.credits).toEqual([]);
  });
});

/** docs/domain/orders.md#credits; I76. */
describe('a line that was cancelled beside its order', () => {
  const { line, proposal } = followed(PAID);
  const AT = at('2026-11-22T10:00:00Z');
  const other = { cause: 'dispute' as const, amount_cents: 5, at: AT };
  const said = (ended_lines: string[] | undefined, cents: number, before: object[] = [], cancelled = true) => {
    const credit = { id: 'credit', line_id: SIGNED.line_id, cause: 'cancelled' as const, state: 'due' as const };
    const event = anEvent({ version: 3, payment_state: 'partially_refunded' });
    const books = aBook(event, cents === 0 ? [] : [{ ...credit, amount_cents: cents }]);
    const chain = { line: { ...line, cancelled, credits: before as never }, proposal };
    const after = followed({ ...event, books, ...(ended_lines !== undefined && { ended_lines }) }, chain).line;
    return { owed: after.credits, isNews: after.version > line.version };
  };
  const own = (amount_cents: number) => ({ cause: 'cancelled' as const, amount_cents, at: AT });

  it.each<[what: string, ReturnType<typeof said>, owed: object[], isNews: boolean]>([
    ['what it owes until billing has followed it', said(undefined, 0, [own(900)]), [own(900)], false],
    ['the same while another line has ended', said(['another'], 0, [own(900)]), [own(900)], false],
    ['nothing once billing had nothing left', said([SIGNED.line_id], 0, [own(900), other]), [other, own(0)], true],
    ['nothing, said once', said([SIGNED.line_id], 0, [own(0)]), [own(0)], false],
    ['nothing where it owed nothing', said([SIGNED.line_id], 0), [], false],
    ['what billing credits', said([], 400, [own(900)]), [own(400)], true],
    ['what billing credits, said once', said([SIGNED.line_id], 900, [own(900)]), [own(900)], false],
    ['what billing credits after all', said([SIGNED.line_id], 300, [own(0)]), [own(300)], true],
    ['its own while it goes on', said([SIGNED.line_id], 0, [own(900)], false), [own(900)], false],
  ])('owes %s', (_what, found, owed, isNews) => {
    expect(found).toEqual({ owed, isNews });
  });
});

describe('a change of a line is published', () => {
  const chain = followed(PAID);
  const later = { ...chain, line: { ...chain.line, version: chain.line.version + 1 } };

  it.each<[published: boolean, what: string, before: MaybeChain | null, after: MaybeChain]>([
    [true, 'with its first proposal', null, chain],
    [true, 'with a newer version', chain, later],
    [false, 'without a newer version', chain, chain],
    [false, 'before it has a proposal', null, { ...later, proposal: null }],
    [false, 'of version 0', null, { ...chain, line: { ...chain.line, version: 0 } }],
  ])('%s: %s', (published, _what, before, after) => {
    expect(shouldEmit(before, after)).toBe(published);
  });
});

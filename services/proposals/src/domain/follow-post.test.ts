import { randomUUID } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { anOrder, aPostChange, aReplacement, aSignedLine, begun } from '../test/builders.js';
import type { Chain } from './chain.js';
import { followPost } from './follow-post.js';
import { accept, decline, replace } from './moves.js';

const at = (instant: string): Date => new Date(instant);
const order = anOrder({ lines: [aSignedLine({ scheduled_date: '2026-12-05' })] });
const lineId = order.lines[0]?.line_id ?? '';
const booked = (): Chain => {
  const chain = begun(order);
  return accept({ line: chain.line, proposal: chain.proposal }, at('2026-11-22T10:00:00Z'), '2026-12-05').chain;
};
/** A line whose first creator declined, and that another one is booked to fill at this price. */
const filledAt = (price_cents: number): Chain => {
  const declined = decline(booked(), at('2026-11-23T00:00:00Z'), null).chain;
  const { chain } = replace(declined, at('2026-11-23T00:00:00Z'), aReplacement({ price_cents }), randomUUID());
  return accept(chain, at('2026-11-23T10:00:00Z'), '2026-12-05').chain;
};
const aPost = (over: Partial<EventPayload<'post.changed'>>) => aPostChange(order, lineId, over);
const aRemedy = (over: Partial<NonNullable<EventPayload<'post.changed'>['remedy']>> = {}) => ({
  id: randomUUID(),
  kind: 'credit' as const,
  cause: 'post_gone' as const,
  amount_cents: null,
  at: '2026-12-10T12:00:00.000Z',
  ...over,
});

/** docs/domain/orders.md#remedies. */
describe('a remedy', () => {
  it('of a credit cancels a line that has no proof, with its price', () => {
    const move = followPost(booked(), aPost({ status: 'blocked', blocked_reason: 'post_gone', remedy: aRemedy() }));
    expect(move).toMatchObject({
      emits: true,
      chain: {
        line: {
          cancelled: true,
          cancel_cause: 'post_gone',
          booked: false,
          credits: [{ cause: 'post_gone', amount_cents: 60_000, at: at('2026-12-10T12:00:00Z') }],
        },
        proposal: { state: 'accepted', due_at: null },
      },
    });
  });

  it('of an amount owes it, and a line with its proof continues', () => {
    const remedy = aRemedy({ cause: 'dispute', amount_cents: 15_000 });
    const move = followPost(booked(), aPost({ status: 'completed', still_up_at: '2026-12-12T00:00:00.000Z', remedy }));
    expect(move?.chain.line).toMatchObject({ cancelled: false, booked: true, credits: [{ amount_cents: 15_000 }] });
  });

  it.each(['credit', 'replace'] as const)('of an acceptance that the team has ended changes nothing: %s', (kind) => {
    const { chain } = decline(booked(), at('2026-12-09T00:00:00Z'), 'team');
    const move = followPost(
      chain,
      aPost({ status: 'blocked', blocked_reason: 'post_gone', remedy: aRemedy({ kind }) }),
    );
    expect(move?.emits).toBe(false);
    expect(move?.chain).toMatchObject({
      line: { cancelled: false },
      proposal: { state: 'declined', decline_reason: 'team', search: chain.proposal.search },
    });
    expect(move?.chain.line.credits ?? []).toEqual([]);
  });

  it('of a replacement ends the acceptance and begins the search', () => {
    const move = followPost(booked(), aPost({ status: 'blocked', remedy: aRemedy({ kind: 'replace' }) }));
    expect(move?.chain).toMatchObject({
      line: { booked: false, cancelled: false },
      proposal: {
        state: 'declined',
        decline_reason: 'remedy',
        search: { next_at: at('2026-12-10T12:00:00Z') },
        ends_at: at('2026-12-21T00:00:00Z'),
      },
    });
  });

  it('is carried out once, however many events name it', () => {
    const remedy = aRemedy({ cause: 'dispute', amount_cents: 15_000 });
    const first = followPost(booked(), aPost({ status: 'completed', remedy }));
    if (first === null) throw new Error('the event is new');
    const second = followPost(first.chain, aPost({ version: 2, status: 'completed', remedy }));
    expect(second?.chain.line.credits).toEqual(first.chain.line.credits);
    expect(second?.emits).toBe(false);
  });

  it('of a line that was cancelled meanwhile owes nothing more', () => {
    const { line, proposal } = booked();
    const cancelled = { line: { ...line, cancelled: true, cancel_cause: 'cancelled' as const }, proposal };
    const move = followPost(cancelled, aPost({ status: 'blocked', blocked_reason: 'post_gone', remedy: aRemedy() }));
    expect(move).toMatchObject({ emits: false, chain: { line: { cancel_cause: 'cancelled' } } });
    expect(move?.chain.line.credits ?? []).toEqual([]);
  });

  it('of an earlier attempt changes nothing', () => {
    const declined = decline(booked(), at('2026-12-01T00:00:00Z'), null).chain;
    const { chain } = replace(declined, at('2026-12-01T00:00:00Z'), aReplacement(), randomUUID());
    const move = followPost(chain, aPost({ status: 'blocked', remedy: aRemedy() }));
    expect(move).toMatchObject({ emits: false, chain: { line: { cancelled: false } } });
  });
});

describe('an event about a post', () => {
  it.each<[what: string, over: Partial<EventPayload<'post.changed'>>, post: object]>([
    ['a live post', { status: 'live' }, { version: 1, status: 'live', attempt: 1 }],
    [
      'a blocked post, with the reason',
      { status: 'blocked', blocked_reason: 'post_gone' },
      { version: 1, status: 'blocked', attempt: 1, blocked_reason: 'post_gone' },
    ],
    [
      'a proved post, with the time of its proof',
      { status: 'completed', still_up_at: '2026-12-12T00:00:00.000Z' },
      { version: 1, status: 'completed', attempt: 1, completed_at: at('2026-12-12T00:00:00Z') },
    ],
  ])('is kept with its line as one write that is not published: %s', (_what, over, post) => {
    const before = booked();
    const move = followPost(before, aPost(over));
    expect(move).toEqual({
      chain: {
        line: { ...before.line, post, rev: before.line.rev + 1 },
        proposal: { ...before.proposal, rev: before.proposal.rev + 1 },
      },
      emits: false,
      window: null,
    });
  });

  it('of a release that did not name attempts names none, and carries out no remedy', () => {
    const { attempt: _attempt, ...post } = aPost({ status: 'live', remedy: aRemedy() });
    const move = followPost(booked(), post as EventPayload<'post.changed'>);
    expect(move?.chain.line.post).toStrictEqual({ version: 1, status: 'live' });
    expect(move?.emits).toBe(false);
  });

  it.each<[what: string, over: Partial<EventPayload<'post.changed'>>]>([
    ['is not proved', { status: 'live', still_up_at: '2026-12-12T00:00:00.000Z' }],
    ['says no time of its proof', { status: 'completed', still_up_at: null }],
  ])('that %s owes no difference', (_what, over) => {
    const move = followPost(filledAt(50_000), aPost({ attempt: 2, ...over }));
    expect(move?.emits).toBe(false);
    expect(move?.chain.line.credits ?? []).toEqual([]);
  });

  it.each<[what: string, chain: () => Chain]>([
    ['at the line’s price', () => filledAt(60_000)],
    ['at more than the line’s price', () => filledAt(70_000)],
    [
      'whose difference is owed already',
      () => {
        const chain = filledAt(50_000);
        const credits = [
          { cause: 'dispute' as const, amount_cents: 1, at: at('2026-12-11T00:00:00Z') },
          { cause: 'cheaper' as const, amount_cents: 10_000, at: at('2026-12-12T00:00:00Z') },
        ];
        return { ...chain, line: { ...chain.line, credits } };
      },
    ],
    [
      'of which nothing is left to owe',
      () => {
        const chain = filledAt(50_000);
        const credits = [{ cause: 'dispute' as const, amount_cents: 60_000, at: at('2026-12-11T00:00:00Z') }];
        return { ...chain, line: { ...chain.line, credits } };
      },
    ],
  ])('of a line that is proved %s is not published', (_what, chain) => {
    const proof = { status: 'completed', attempt: 2, still_up_at: '2026-12-12T00:00:00.000Z' } as const;
    expect(followPost(chain(), aPost(proof))).toMatchObject({ emits: false });
  });

  it('is ignored when it is not newer', () => {
    const first = followPost(booked(), aPost({ version: 3, status: 'live' }));
    if (first === null) throw new Error('the event is new');
    expect(followPost(first.chain, aPost({ version: 3, status: 'blocked', remedy: aRemedy() }))).toBeNull();
  });

  it('of a line that was cancelled meanwhile owes no difference', () => {
    const chain = filledAt(50_000);
    const cancelled = { ...chain, line: { ...chain.line, cancelled: true } };
    const move = followPost(
      cancelled,
      aPost({ status: 'completed', attempt: 2, still_up_at: '2026-12-12T00:00:00.000Z' }),
    );
    expect(move).toMatchObject({ emits: false });
    expect(move?.chain.line.credits ?? []).toEqual([]);
  });

  it.each([
    ['cheaper replacement', 50_000, [{ cause: 'cheaper', amount_cents: 10_000, at: at('2026-12-12T00:00:00Z') }]],
    ['replacement of the same price', 60_000, []],
  ])('of a line completed by a %s owes the difference', (_what, price_cents, credits) => {
    const move = followPost(
      filledAt(price_cents),
      aPost({ status: 'completed', attempt: 2, still_up_at: '2026-12-12T00:00:00.000Z' }),
    );
    expect(move?.chain.line.credits ?? []).toEqual(credits);
  });

  it('of a claim that overtakes the proof owes the difference of a cheaper replacement too, in one change', () => {
    const chain = filledAt(50_000);
    const proof = { status: 'completed', attempt: 2, still_up_at: '2026-12-12T00:00:00.000Z' } as const;
    const remedy = aRemedy({ cause: 'dispute', amount_cents: 15_000, at: '2026-12-13T00:00:00.000Z' });
    const move = followPost(chain, aPost({ ...proof, version: 2, remedy }));
    expect(move?.chain.line).toMatchObject({
      version: chain.line.version + 1,
      cancelled: false,
      credits: [
        { cause: 'dispute', amount_cents: 15_000 },
        { cause: 'cheaper', amount_cents: 10_000 },
      ],
    });
    if (move == null) throw new Error('the event is new');
    expect(followPost(move.chain, aPost({ ...proof, version: 1 }))).toBeNull();
  });

  it('of a claim for the whole price leaves no difference to owe', () => {
    const chain = filledAt(50_000);
    const remedy = aRemedy({ cause: 'dispute' });
    const proof = { status: 'completed', attempt: 2, still_up_at: '2026-12-12T00:00:00.000Z' } as const;
    expect(followPost(chain, aPost({ ...proof, remedy }))?.chain.line.credits).toMatchObject([
      { cause: 'dispute', amount_cents: 60_000 },
    ]);
  });
});

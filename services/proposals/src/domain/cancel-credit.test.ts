import { randomUUID } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { anOrder, aPostChange, aReplacement, aSignedLine, begun } from '../test/builders.js';
import type { Chain } from './chain.js';
import { declineForCreator } from './creator-moves.js';
import { followPost } from './follow-post.js';
import { accept, cancelCredit, replace } from './moves.js';

const PRICE = 60_000;
const DAY = '2026-12-05';
const order = anOrder({ lines: [aSignedLine({ scheduled_date: DAY, price_cents: PRICE })] });
const at = (instant: string): Date => new Date(instant);

const offered = (): Chain => {
  return begun(order);
};
const booked = (): Chain => accept(offered(), at('2026-11-22T10:00:00Z'), DAY).chain;
const after = (chain: Chain, post: Partial<EventPayload<'post.changed'>>): Chain => {
  const move = followPost(chain, aPostChange(order, chain.line._id, post));
  if (move === null) throw new Error('the event is new');
  return move.chain;
};
/** A line whose live post was disputed: another creator is sought. */
const madeGood = (): Chain =>
  after(after(booked(), { status: 'live' }), {
    version: 2,
    status: 'live',
    remedy: { id: randomUUID(), kind: 'replace', cause: 'dispute', amount_cents: null, at: '2026-12-06T10:00:00.000Z' },
  });
const replacedAndBooked = (): Chain => {
  const { chain } = replace(madeGood(), at('2026-12-06T10:00:00Z'), aReplacement(), randomUUID());
  return accept(chain, at('2026-12-06T12:00:00Z'), '2026-12-15').chain;
};

/** docs/domain/orders.md#credits, row by row. */
describe('a line that the team cancels owes', () => {
  it.each<[cents: number, situation: string, chain: () => Chain, now: string]>([
    [PRICE, 'its price before a creator accepted', offered, '2026-12-05T10:00:00Z'],
    [PRICE, 'its price 48 hours before its day', booked, '2026-12-03T00:00:00.000Z'],
    [PRICE / 2, 'half a moment later', booked, '2026-12-03T00:00:00.001Z'],
    [0, 'nothing while its post is live', () => after(booked(), { status: 'live' }), '2026-12-06T10:00:00Z'],
    [0, 'nothing once its post is proved', () => after(booked(), { status: 'completed' }), '2026-12-16T10:00:00Z'],
    ...(['post_missing', 'post_gone', 'no_disclosure'] as const).map(
      (blocked_reason): [number, string, () => Chain, string] => [
        PRICE,
        `its price while it is blocked: ${blocked_reason}`,
        () => after(booked(), { status: 'blocked', blocked_reason }),
        '2026-12-09T10:00:00Z',
      ],
    ),
    [PRICE, 'its price once another creator is sought for a disputed live post', madeGood, '2026-12-06T11:00:00Z'],
    [PRICE, 'its price while the next creator’s day is far', replacedAndBooked, '2026-12-07T11:00:00Z'],
    [PRICE / 2, 'half when the next creator’s day is near', replacedAndBooked, '2026-12-14T11:00:00Z'],
  ])('%i cents: %s', (cents, _situation, chain, now) => {
    expect(cancelCredit(chain().line, at(now))).toBe(cents);
  });
});

describe('the post of an earlier creator', () => {
  it('does not keep the team from ending the next creator’s booking', () => {
    const { line, proposal } = replacedAndBooked();
    const answered = declineForCreator({ line, own: proposal, newest: proposal }, at('2026-12-07T11:00:00Z'), 'timing');
    expect(answered).toMatchObject({ move: { chain: { proposal: { state: 'declined' } } } });
  });
});

import { randomUUID } from 'node:crypto';
import type { EventPayload, Replacement } from '@cds/contracts';
import type { RandomKey } from '@cds/service/seeded-random';
import type { Chain } from '../domain/chain.js';
import { dueMove, dueNow } from '../domain/due-move.js';
import { followOrder } from '../domain/follow-order.js';
import type { Move } from '../domain/moves.js';
import type { Found } from '../domain/search.js';

export { anOrder, aSignedLine } from '@cds/service/testing';

type Order = EventPayload<'order.changed'>;
type Books = NonNullable<Order['books']>;

/** The books of an order that owes `credits`. */
export const aBook = ({ lines, total_cents }: Order, credits: Books['credits']): Books => ({
  order_number: 'CDS-0000000001',
  receipt_id: null,
  received_cents: total_cents,
  refunds: [],
  credits,
  committed_cents: total_cents,
  unused_cents: 0,
  stray_cents: 0,
  lines: lines.map(({ line_id, number, price_cents }) => ({
    line_id,
    number,
    price_cents,
    committed_cents: price_cents,
    money: 'committed',
  })),
});

/** The chain that the first line of a paid order begins. */
export const begun = (order: Order, id = 'proposal-1'): Chain => {
  const [signed] = order.lines;
  const chain = signed === undefined ? null : followOrder(order, signed, null, () => id);
  if (chain?.proposal == null) throw new Error('a paid order begins a chain');
  return { line: chain.line, proposal: chain.proposal };
};

/** The random key of the first attempt on line `lineNumber` of campaign `campaignNumber`, with the default seed. */
export const aRandomKey = (campaignNumber: number, lineNumber = 1): RandomKey => ({
  seed: 1,
  campaignNumber,
  lineNumber,
  attempt: 1,
});

/** The move of a chain's earliest due fact at or before `until`; null when none is due. */
export const dueMoveAt = (chain: Chain, until: Date, found: Found | null = null): Move | null => {
  const due = dueNow(chain, until);
  return due === null ? null : dueMove(chain, due, found, () => 'next-proposal');
};

/** A post of a line's first attempt that is still booked. */
export const aPostChange = (
  order: EventPayload<'order.changed'>,
  lineId: string,
  over: Partial<EventPayload<'post.changed'>> = {},
): EventPayload<'post.changed'> => ({
  aggregate: lineId,
  version: 1,
  workspace: order.workspace,
  line_id: lineId,
  order_id: order.order_id,
  plan_id: order.plan_id,
  campaign_id: order.campaign.campaign_id,
  status: 'booked',
  blocked_reason: null,
  published_at: null,
  still_up_at: null,
  attempt: 1,
  remedy: null,
  ...over,
});

/** A unit that may take a line over, at $500 and 12,000 expected views. */
export const aReplacement = (over: Partial<Replacement> = {}): Replacement => ({
  unit_id: randomUUID(),
  creator_id: randomUUID(),
  name: 'Bea',
  channel: 'x_creators',
  format: 'post',
  deliverable: 'One post on X by Bea',
  price_cents: 50_000,
  expected_views: 12_000,
  views_low: 6_000,
  views_high: 18_000,
  engagement_rate: 1.5,
  match_score: 70,
  ...over,
});

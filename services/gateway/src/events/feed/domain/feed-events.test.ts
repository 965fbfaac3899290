import { type EventPayload, FEED_KINDS, type FeedKind } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import type { SaidLimit } from '../../../edge/domain/limits.js';
import {
  campaignFact,
  type Fact,
  limitFact,
  lineFact,
  mandateFact,
  orderFact,
  planFact,
  postFact,
  readingFact,
  resetFact,
} from './feed-events.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const AT = '2026-07-01T10:00:00.000Z';
const DAY = '2026-07-01';
const of = { aggregate: ID, version: 3, workspace: 'ws' };

const campaign = (over: Partial<EventPayload<'campaign.changed'>> = {}): Fact =>
  campaignFact({
    ...of,
    campaign_id: ID,
    campaign: 'Orbit',
    display_name: 'Orbit',
    company: 'Orbit Inc',
    product: 'an AI pair',
    window_start: DAY,
    window_end: DAY,
    archived_at: null,
    guidelines: { pitch: '', key_messages: [], references: [], voice: '', dos: [], donts: [] },
    ...over,
  });

const plan = (over: Partial<EventPayload<'plan.changed'>> = {}): Fact =>
  planFact({
    ...of,
    campaign_id: ID,
    status: 'awaiting_approval',
    terms_fingerprint: 'f',
    total_cents: 1_200,
    creator_ids: [ID],
    ...over,
  });

const BOOKS: NonNullable<EventPayload<'order.changed'>['books']> = {
  order_number: 'CDS-7B1B7B1B7B',
  receipt_id: ID,
  received_cents: 1_200,
  refunds: [{ id: ID, amount_cents: 200, line_id: ID, at: AT }],
  credits: [{ id: ID, line_id: ID, cause: 'remedy', amount_cents: 200, state: 'refunded' }],
  committed_cents: 1_000,
  unused_cents: 0,
  stray_cents: 0,
  lines: [{ line_id: ID, number: 1, price_cents: 1_200, committed_cents: 1_000, money: 'refunded' }],
};

const order = (payment_state: EventPayload<'order.changed'>['payment_state']): Fact =>
  orderFact({
    ...of,
    sandbox: false,
    order_id: ID,
    plan_id: ID,
    key_id: ID,
    payment_state,
    total_cents: 1_200,
    currency: 'USD',
    signed_at: AT,
    paid_at: null,
    refunded_at: null,
    cancelled_at: null,
    campaign: {
      campaign_id: ID,
      campaign_number: 1,
      campaign: 'Orbit',
      company: null,
      product: null,
      launch_window_start: DAY,
      launch_window_end: DAY,
    },
    lines: [],
    books: BOOKS,
  });

const LINE: EventPayload<'line.changed'> = {
  ...of,
  sandbox: false,
  line_id: ID,
  number: 1,
  attempt: 2,
  order_id: ID,
  plan_id: ID,
  campaign_id: ID,
  campaign_number: 1,
  creator_id: ID,
  unit_id: ID,
  format: 'post',
  deliverable: 'One post by @someone',
  scheduled_date: DAY,
  booked: false,
  cancelled: false,
  expected_views: 1,
  views_low: 1,
  views_high: 1,
  engagement_rate: null,
  proposal: { state: 'sent', replaced_creator_id: null, updated_at: AT },
};
const line = (state: EventPayload<'line.changed'>['proposal']['state'], over: Partial<typeof LINE> = {}): Fact =>
  lineFact({ ...LINE, proposal: { ...LINE.proposal, state }, ...over });

const FACTS: NonNullable<EventPayload<'post.changed'>['facts']> = {
  listed: true,
  disclosed: true,
  still_up: { checked_at: AT, views: 5 },
  integrity: { seq: 2, kind: 'edited', at: AT, hash: 'h' },
  claims: [
    {
      ...{ id: ID, claim: 'gone', state: 'decided', opened_at: AT, due_at: AT },
      ...{ remedy: 'credit', amount_cents: 200, reason: 'It is gone.', decided_at: AT },
    },
  ],
};

const post = (status: EventPayload<'post.changed'>['status']): Fact =>
  postFact({
    ...of,
    line_id: ID,
    order_id: ID,
    plan_id: ID,
    campaign_id: ID,
    status,
    blocked_reason: null,
    published_at: AT,
    still_up_at: AT,
    next: { kind: 'reading', at: AT },
    facts: FACTS,
  });

const FIGURES = { captured_at: AT, views: 5, clicks: null, likes: 1, comments: 0, shares: null };
const reading = readingFact({
  ...of,
  line_id: ID,
  order_id: ID,
  plan_id: ID,
  campaign_id: ID,
  attempt: 1,
  snapshots: 1,
  latest: FIGURES,
  previous: null,
  still_up: null,
});

const MANDATE = {
  version: 3,
  max_plan_cents: 10_000,
  monthly_cap_cents: 20_000,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: new Date(AT),
  updated_at: new Date(AT),
  terms_version: '1',
  terms_accepted_at: new Date(AT),
  terms_accepted_email: 'owner@brand.example',
};
const mandate = mandateFact({ ws: 'ws', key_id: ID, version: 3, cause: 'set', mandate: MANDATE });
const LIMIT = {
  ws: 'ws',
  key_id: ID,
  at: new Date(AT),
  operation: 'creators_search',
  reason: 'daily_lists',
  limit: { scope: 'brand', limit: 60, resets_at: AT },
} as const;
const limit = limitFact(LIMIT);
const reset = resetFact({ ws: 'ws', number: 3, seed: 7 });

const KINDS: readonly (readonly [FeedKind, Fact])[] = [
  ['campaign.changed', campaign()],
  ['campaign.deleted', campaign({ deleted: true })],
  ['plan.changed', plan()],
  ['plan.approved', plan({ status: 'approved' })],
  ['order.unpaid', order('unpaid')],
  ['order.processing', order('processing')],
  ['order.paid', order('paid')],
  ['order.partially_refunded', order('partially_refunded')],
  ['order.refunded', order('refunded')],
  ['order.cancelled', order('cancelled')],
  ['line.offered', line('sending')],
  ['line.offered', line('sent')],
  ['line.accepted', line('accepted')],
  ['line.booked', line('accepted', { booked: true })],
  ['line.declined', line('declined')],
  ['line.no_reply', line('no_reply')],
  ['line.unfilled', line('unfilled')],
  ['line.cancelled', line('accepted', { booked: true, cancelled: true })],
  ['post.booked', post('booked')],
  ['post.live', post('live')],
  ['post.blocked', post('blocked')],
  ['post.completed', post('completed')],
  ['reading.taken', reading],
  ['mandate.changed', mandate],
  ['limit.reached', limit],
  ['sandbox.reset', reset],
];

/** What the feed makes of each event (docs/domain/events.md#events). */
describe('a fact of the feed', () => {
  test.each(KINDS)('is %s of its workspace', (kind, fact) => {
    expect([fact.kind, fact.workspace]).toEqual([kind, 'ws']);
    expect(kind.startsWith(`${fact.aggregate.type}.`)).toBe(true);
    if (fact !== limit) expect(fact.version).toBe(3);
  });

  test('has every kind', () => {
    expect(new Set(KINDS.map(([kind]) => kind))).toEqual(new Set(FEED_KINDS));
  });

  test.each(KINDS)('%s has no creator’s text, no address and no field of the services', (_kind, { data }) => {
    const text = JSON.stringify(data);
    for (const absent of ['@', 'http', 'sandbox', 'campaign_number', 'workspace', 'engagement_rate'])
      expect(text).not.toContain(absent);
    for (const field of ['next', 'deliverable', 'creator_ids', 'name']) expect(Object.keys(data)).not.toContain(field);
  });

  test('has the money of an order, and what was seen of a post with the claims on it', () => {
    expect(order('paid').data).toMatchObject({ ...BOOKS, campaign: 'Orbit' });
    expect(post('completed').data).toMatchObject(FACTS);
  });

  test('names candidates of a search by id alone', () => {
    const candidate = {
      unit_id: ID,
      creator_id: ID,
      name: 'A creator',
      price_cents: 900,
      expected_views: 10,
      match_score: 80,
    };
    const { data } = line('declined', { search: { next_at: AT, choose_until: AT, candidates: [candidate] } });
    const { name: _name, ...shown } = candidate;
    expect(data['search']).toEqual({ choose_until: AT, candidates: [shown] });
  });

  test('of a payload of an older version says what that had', () => {
    expect(plan().data).toMatchObject({ id: ID, status: 'awaiting_approval', total_cents: 1_200 });
    expect(campaign().data).toMatchObject({ id: ID, campaign: 'Orbit', archived_at: null });
    const bare = limitFact({ ws: 'ws', key_id: ID, at: new Date(AT), operation: null, reason: 'daily_lists' });
    expect(bare.data).toMatchObject({ scope: null, limit: null, resets_at: null });
  });

  test('names the keys that a reader needs: who signed an order, and who made a key with a mandate', () => {
    const child = mandateFact({ ws: 'ws', key_id: 'child', parent_id: ID, version: 1, cause: 'set', mandate: MANDATE });
    expect([order('paid').data, mandate.data, child.data]).toMatchObject([
      { key_id: ID },
      { key_id: ID, parent_id: null },
      { key_id: 'child', parent_id: ID },
    ]);
  });

  test('of a limit is one per key, limit and hour', () => {
    const { limit: said, ...row } = LIMIT;
    const at = (time: string) => limitFact({ ...row, at: new Date(time), operation: null, limit: said });
    expect(at('2026-07-01T10:59:59.999Z')).toMatchObject({ aggregate: limit.aggregate, version: limit.version });
    expect(at('2026-07-01T11:00:00.000Z').version).toBe(limit.version + 1);
  });

  test('of limits that share a reason is one for each: of a key and of its brand, for a creator and in all', () => {
    const of = (said: SaidLimit) =>
      limitFact({ ws: 'ws', key_id: ID, at: new Date(AT), operation: null, reason: 'daily_limit', limit: said });
    const all = { scope: 'workspace', limit: 20, resets_at: AT } as const;
    const facts = [
      of(all),
      of({ ...all, limit: 3, creator_id: ID }),
      of({ ...all, limit: 3, creator_id: 'another' }),
      of({ ...all, scope: 'key' }),
      limit,
    ];
    expect(new Set(facts.map(({ aggregate }) => aggregate.id)).size).toBe(facts.length);
    expect(facts.map(({ data }) => data['creator_id'])).toEqual([null, ID, 'another', null, null]);
  });
});

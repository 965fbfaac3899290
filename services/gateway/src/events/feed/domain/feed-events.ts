import type { EventPayload, FeedAggregate, FeedKind } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';
import type { StoredMandate } from '../../../accounts/port.js';
import type { SaidLimit } from '../../../edge/port.js';

const HOUR_MS = 3_600_000;

/**
 * What the feed makes of the services' events and of the gateway's own changes (docs/domain/events.md#events). Fields
 * have the names that reads give them. None has a handle, a link, or what only services need.
 */

export type Fact = {
  workspace: string;
  kind: FeedKind;
  aggregate: { type: FeedAggregate; id: string };
  version: number;
  /** Every version has an event, so that a missing one is on its way. */
  dense: boolean;
  data: Record<string, unknown>;
};

export const campaignFact = (event: EventPayload<'campaign.changed'>): Fact => ({
  workspace: event.workspace,
  kind: event.deleted === true ? 'campaign.deleted' : 'campaign.changed',
  aggregate: { type: 'campaign', id: event.campaign_id },
  version: event.version,
  // Edits of the plan raise the campaign's version without an event.
  dense: false,
  data: {
    id: event.campaign_id,
    campaign: event.campaign,
    display_name: event.display_name,
    company: event.company,
    product: event.product,
    ...event.status,
    archived_at: event.archived_at,
    creator_guidelines: event.guidelines,
  },
});

export const planFact = (event: EventPayload<'plan.changed'>): Fact => ({
  workspace: event.workspace,
  kind: event.status === 'approved' ? 'plan.approved' : 'plan.changed',
  aggregate: { type: 'plan', id: event.aggregate },
  version: event.version,
  dense: true,
  data: {
    id: event.aggregate,
    campaign_id: event.campaign_id,
    status: event.status,
    terms_fingerprint: event.terms_fingerprint,
    total_cents: event.total_cents,
    ...event.plan,
  },
});

export const orderFact = (event: EventPayload<'order.changed'>): Fact => ({
  workspace: event.workspace,
  kind: `order.${event.payment_state}`,
  aggregate: { type: 'order', id: event.order_id },
  version: event.version,
  dense: true,
  data: {
    id: event.order_id,
    plan_id: event.plan_id,
    campaign_id: event.campaign.campaign_id,
    campaign: event.campaign.campaign,
    key_id: event.key_id,
    payment_state: event.payment_state,
    total_cents: event.total_cents,
    currency: event.currency,
    signed_at: event.signed_at,
    paid_at: event.paid_at,
    refunded_at: event.refunded_at,
    cancelled_at: event.cancelled_at,
    ...event.books,
  },
});

type Line = EventPayload<'line.changed'>;

const LINE_KINDS: Record<Line['proposal']['state'], FeedKind> = {
  sending: 'line.offered',
  sent: 'line.offered',
  accepted: 'line.accepted',
  declined: 'line.declined',
  no_reply: 'line.no_reply',
  unfilled: 'line.unfilled',
};

const lineKind = ({ cancelled, booked, proposal }: Line): FeedKind => {
  if (cancelled) return 'line.cancelled';
  return booked ? 'line.booked' : LINE_KINDS[proposal.state];
};

export const lineFact = (event: Line): Fact => ({
  workspace: event.workspace,
  kind: lineKind(event),
  aggregate: { type: 'line', id: event.line_id },
  version: event.version,
  dense: true,
  data: {
    id: event.line_id,
    order_id: event.order_id,
    plan_id: event.plan_id,
    campaign_id: event.campaign_id,
    attempt: event.attempt,
    creator_id: event.creator_id,
    unit_id: event.unit_id,
    format: event.format,
    expected_views_low: event.views_low,
    expected_views_high: event.views_high,
    scheduled_date: event.scheduled_date,
    booked: event.booked,
    cancelled: event.cancelled,
    cancel_cause: event.cancel_cause ?? null,
    proposal: {
      state: event.proposal.state,
      replaced_creator_id: event.proposal.replaced_creator_id,
      updated_at: event.proposal.updated_at,
      expires_at: event.proposal.expires_at ?? null,
    },
    search: searchOf(event.search ?? null),
    ends_at: event.ends_at ?? null,
    credits: event.credits ?? [],
  },
});

/** A running search. Candidates appear by id only, because a creator's name is third-party text. */
const searchOf = (search: NonNullable<Line['search']> | null): Record<string, unknown> | null =>
  search === null
    ? null
    : {
        choose_until: search.choose_until,
        candidates: search.candidates.map(({ unit_id, creator_id, price_cents, expected_views, match_score }) => ({
          unit_id,
          creator_id,
          price_cents,
          expected_views,
          match_score,
        })),
      };

export const postFact = (event: EventPayload<'post.changed'>): Fact => ({
  workspace: event.workspace,
  kind: `post.${event.status}`,
  aggregate: { type: 'post', id: event.line_id },
  version: event.version,
  dense: true,
  data: {
    line_id: event.line_id,
    order_id: event.order_id,
    plan_id: event.plan_id,
    campaign_id: event.campaign_id,
    attempt: event.attempt ?? null,
    status: event.status,
    blocked_reason: event.blocked_reason,
    published_at: event.published_at,
    still_up: event.still_up_at === null ? null : { checked_at: event.still_up_at, views: null },
    ...event.facts,
  },
});

export const readingFact = (event: EventPayload<'reading.taken'>): Fact => ({
  workspace: event.workspace,
  kind: 'reading.taken',
  aggregate: { type: 'reading', id: event.line_id },
  version: event.version,
  dense: true,
  data: {
    line_id: event.line_id,
    order_id: event.order_id,
    plan_id: event.plan_id,
    campaign_id: event.campaign_id,
    attempt: event.attempt,
    published_at: event.published_at ?? null,
    snapshots: event.snapshots,
    latest: event.latest,
    previous: event.previous,
    still_up: event.still_up,
  },
});

/** A new version of a key's mandate; null once it is removed, or the key revoked. */
export const mandateFact = (row: {
  ws: string;
  key_id: string;
  parent_id?: string;
  version: number;
  cause: string;
  mandate: StoredMandate | null;
}): Fact => ({
  workspace: row.ws,
  kind: 'mandate.changed',
  aggregate: { type: 'mandate', id: row.key_id },
  version: row.version,
  dense: true,
  data: {
    key_id: row.key_id,
    parent_id: row.parent_id ?? null,
    cause: row.cause,
    mandate:
      row.mandate === null
        ? null
        : {
            version: row.mandate.version,
            max_plan_cents: row.mandate.max_plan_cents,
            monthly_cap_cents: row.mandate.monthly_cap_cents,
            channels: row.mandate.channels,
            may_approve: row.mandate.may_approve,
            expires_at: row.mandate.expires_at.toISOString(),
            updated_at: row.mandate.updated_at.toISOString(),
            terms_version: row.mandate.terms_version,
            terms_accepted_at: row.mandate.terms_accepted_at?.toISOString() ?? null,
          },
  },
});

/**
 * A request that a limit refused. The version is the UTC hour, so that a limit appears once in each. Limits of one
 * reason differ in whom they count, and in the creator that they are about.
 */
export const limitFact = (row: {
  ws: string;
  key_id: string;
  at: Date;
  operation: string | null;
  reason: string;
  limit?: SaidLimit;
}): Fact => ({
  workspace: row.ws,
  kind: 'limit.reached',
  aggregate: {
    type: 'limit',
    id: namedUuid('limit', row.ws, row.key_id, row.reason, row.limit?.scope ?? '', row.limit?.creator_id ?? ''),
  },
  version: Math.floor(row.at.getTime() / HOUR_MS),
  dense: false,
  data: {
    key_id: row.key_id,
    reason: row.reason,
    operation: row.operation,
    scope: row.limit?.scope ?? null,
    limit: row.limit?.limit ?? null,
    creator_id: row.limit?.creator_id ?? null,
    resets_at: row.limit?.resets_at ?? null,
  },
});

/** A reset of a sandbox: nothing from before is left. */
export const resetFact = (reset: { ws: string; number: number; seed: number }): Fact => ({
  workspace: reset.ws,
  kind: 'sandbox.reset',
  aggregate: { type: 'sandbox', id: reset.ws },
  version: reset.number,
  dense: false,
  data: { number: reset.number, seed: reset.seed },
});

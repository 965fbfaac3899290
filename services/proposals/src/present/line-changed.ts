import type { EventPayload } from '@cds/contracts';
import type { Chain } from '../domain/chain.js';

/** A line as other services see it: creator ids, never a handle (docs/reliability.md#handles). */
export const lineChanged = ({ line, proposal }: Chain): EventPayload<'line.changed'> => ({
  aggregate: line._id,
  version: line.version,
  workspace: line.ws,
  sandbox: line.sandbox,
  line_id: line._id,
  number: line.number,
  attempt: proposal.attempt,
  order_id: line.order_id,
  plan_id: line.plan_id,
  campaign_id: line.campaign_id,
  campaign_number: line.campaign_number,
  ...(line.seed === undefined ? {} : { seed: line.seed }),
  creator_id: line.creator_id,
  unit_id: line.unit_id,
  format: line.format,
  deliverable: line.deliverable,
  scheduled_date: line.scheduled_date,
  booked: line.booked,
  cancelled: line.cancelled,
  expected_views: line.expected_views,
  views_low: line.views_low,
  views_high: line.views_high,
  engagement_rate: line.engagement_rate,
  proposal: {
    state: proposal.state,
    replaced_creator_id: proposal.replaced_creator_id,
    updated_at: proposal.updated_at.toISOString(),
    expires_at: proposal.state === 'sent' ? iso(proposal.expires_at) : null,
  },
  search:
    proposal.search == null || proposal.withdrawn_at !== null
      ? null
      : {
          next_at: iso(proposal.search.next_at),
          choose_until: iso(proposal.search.choose_until),
          candidates: proposal.search.candidates,
        },
  ends_at: proposal.withdrawn_at === null ? iso(proposal.ends_at ?? null) : null,
  cancel_cause: line.cancel_cause ?? null,
  // One of 0 only keeps the day of a credit for which billing has no room.
  credits: (line.credits ?? [])
    .filter(({ amount_cents: cents }) => cents > 0)
    .map((credit) => ({ ...credit, at: credit.at.toISOString() })),
});

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

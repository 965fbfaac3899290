import type { Output, PaidLine } from '@cds/contracts';
import type { Chain } from '../domain/chain.js';

/** A paid line as brands and operators see it after they changed it: ids, never a handle. */
export const presentPaidLine = ({ line, proposal }: Chain): PaidLine => ({
  id: line._id,
  campaign_id: line.campaign_id,
  order_id: line.order_id,
  creator_id: line.creator_id,
  unit_id: line.unit_id,
  scheduled_date: line.scheduled_date,
  price_cents: line.price_cents,
  booked: line.booked,
  cancelled: line.cancelled,
  proposal: {
    state: proposal.state,
    attempt: proposal.attempt,
    expires_at: proposal.state === 'sent' ? (proposal.expires_at?.toISOString() ?? null) : null,
    updated_at: proposal.updated_at.toISOString(),
  },
});

export type Revealed = ReadonlyMap<string, string>;

/** A sandbox line as sandbox_line_answer shows it; null until the creator's handle is revealed. */
export const presentSandboxLine = (
  { line, proposal }: Chain,
  revealed: Revealed,
): Output<'sandbox_line_answer'> | null => {
  const handle = revealed.get(proposal.creator_id);
  if (handle === undefined) return null;
  const replaced = proposal.replaced_creator_id;
  return {
    id: line._id,
    campaign_id: line.campaign_id,
    scheduled_date: line.scheduled_date,
    booked: line.booked,
    proposal: {
      state: proposal.state,
      creator_handle: handle,
      replaced_handle: replaced === null ? null : (revealed.get(replaced) ?? null),
      updated_at: proposal.updated_at.toISOString(),
    },
  };
};

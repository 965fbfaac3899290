import type { Output } from '@cds/contracts';
import type { Chain } from '../domain/chain.js';

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

import type { OpsPayout } from '@cds/contracts';
import type { OfferLine } from '../domain/chain.js';
import { payoutState } from '../domain/payout.js';

export const presentOpsPayout = (line: OfferLine, handle: string | null, askCents: number | null): OpsPayout => ({
  line_id: line._id,
  order_id: line.order_id,
  campaign_id: line.campaign_id,
  workspace: line.ws,
  sandbox: line.sandbox,
  creator_id: line.creator_id,
  handle,
  state: payoutState(line),
  proved_at: line.post?.completed_at?.toISOString() ?? null,
  ask_cents: askCents,
  paid:
    line.payout == null
      ? null
      : {
          amount_cents: line.payout.amount_cents,
          reference: line.payout.reference,
          at: line.payout.at.toISOString(),
        },
  returned: (line.payouts_returned ?? []).map(({ amount_cents, reference, at, returned_at }) => ({
    amount_cents,
    reference,
    at: at.toISOString(),
    returned_at: returned_at.toISOString(),
  })),
});

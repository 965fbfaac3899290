import type { OrderCampaign, OrderLine, QuotePart, Refusal, Verdict } from '@cds/contracts';
import { type Evidence, evidenceOnWire } from '../domain/approval/evidence.js';

export type VerdictView = {
  _id: string;
  kind: Verdict['kind'];
  plan_id: string | null;
  order_id: string | null;
  total_cents: number | null;
  approved_at: Date | null;
  evidence: Evidence | Pick<Evidence, 'at'> | null;
  lines: OrderLine[];
  campaign: OrderCampaign | null;
  quote: QuotePart | null;
  refusal: Refusal | null;
};

export const verdictOf = (verdict: VerdictView): Verdict => ({
  signing_id: verdict._id,
  kind: verdict.kind,
  plan_id: verdict.plan_id,
  order_id: verdict.order_id,
  total_cents: verdict.total_cents,
  approved_at: verdict.approved_at?.toISOString() ?? null,
  lines: verdict.lines,
  campaign: verdict.campaign,
  quote: verdict.quote,
  refusal: verdict.refusal,
  ...(verdict.evidence !== null && 'lines' in verdict.evidence && { evidence: evidenceOnWire(verdict.evidence) }),
});

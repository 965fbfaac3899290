import type { ApprovalEvidence } from '@cds/contracts';
import { currentPrice } from '../edits/repricing.js';
import type { PlanWithCampaign, UnitMap } from '../plan.js';
import { isOnSale } from '../quote/on-sale.js';

export type Evidence = Omit<ApprovalEvidence, 'at'> & { at: Date };

/** What the budget and the lines of a plan were judged by (docs/domain/orders.md#receipts). Prices are US cents. */
export const evidenceOf = (
  { plan, campaign, units, today }: PlanWithCampaign & { units: UnitMap; today: string },
  at: Date,
): Evidence => ({
  at,
  budget_cents: campaign.budget_cents,
  lines: plan.lines.map((line) => ({
    line_id: line.id,
    unit_id: line.unit_id,
    scheduled_date: line.scheduled_date,
    price_cents: line.price_cents,
    current_price_cents: currentPrice(line, units),
    on_sale: isOnSale(line, units, { signed: false, today }),
  })),
});

export const evidenceOnWire = (evidence: Evidence): ApprovalEvidence => ({
  ...evidence,
  at: evidence.at.toISOString(),
});

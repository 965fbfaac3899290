import type {
  BrandOrder,
  CampaignStatus,
  CampaignSummary,
  EvidenceItem,
  Key,
  LineDispute,
  Output,
  Quote,
  ResultItem,
} from '@cds/contracts';
import type { Data } from './feed-stages.js';

// What each read shows but for what the feed has not (docs/domain/events.md#events): labels and sentences, links,
// handles and texts of others, facts about a creator, and what is decided at each read. A field that is named nowhere
// here is compared, so a new field of a read has to be in the feed or here.

type Integrity = Output<'line_integrity'>;

/** A row of GET /campaigns, without the label of its stage. */
export const summaryShown = ({ stage: _label, ...summary }: CampaignSummary): Data => summary;

/** GET /campaigns/{id}; `folded` says of which lines the slot is still the signed one. */
export const statusShown = ({ stage: _label, notes: _notes, plan, ...status }: CampaignStatus, folded: Data): Data => ({
  ...status,
  plan: plan === null ? null : planShown(plan, (folded['plan'] as { lines: { slot: string | null }[] } | null)?.lines),
});

type StatusPlan = NonNullable<CampaignStatus['plan']>;

const planShown = ({ lines, lines_by_status, ...plan }: StatusPlan, folded: { slot: string | null }[] = []): Data => {
  const signed = plan.status === 'approved';
  return {
    ...plan,
    lines: lines.map(
      ({ channel_label: _channel, stage: _label, next: _next, slot, status, proposal, ...line }, at) => ({
        ...line,
        slot: folded[at]?.slot === null ? null : slot,
        status: signed ? status : null,
        proposal: proposal === null ? null : proposalShown(proposal),
      }),
    ),
    lines_by_status: signed ? lines_by_status : null,
  };
};

const proposalShown = ({
  creator_handle: _handle,
  replaced_handle: replaced,
  ...proposal
}: NonNullable<StatusPlan['lines'][number]['proposal']>): Data => ({ ...proposal, replaced: replaced !== null });

/** GET /plans/{id}/quote. Payment, terms, mandate and policy are of the asking key and the moment. */
export const quoteShown = ({
  payment_options: _options,
  agent_payment: _rail,
  brand_terms: _terms,
  mandate: _mandate,
  policy: _policy,
  valid_while: _constant,
  notes: _notes,
  totals: { tiers: _tiers, ...totals },
  lines,
  blocked_lines,
  over_budget,
  order,
  ...quote
}: Quote): Data => {
  const signed = quote.status === 'approved';
  return {
    ...quote,
    totals: { ...totals, remaining_cents: signed ? totals.remaining_cents : null },
    lines: lines.map(quoteLineShown),
    blocked_lines: signed ? blocked_lines : null,
    over_budget: signed ? over_budget : null,
    order: order === null ? null : withoutLink(order),
  };
};

const quoteLineShown = ({
  creator: _creator,
  stage: _label,
  channel_label: _channel,
  deliverable: _deliverable,
  vetting: _vetting,
  reason: _reason,
  match_score: _match,
  on_sale: _onSale,
  ...line
}: Quote['lines'][number]): Data => line;

const withoutLink = ({ payment: _link, ...order }: NonNullable<Quote['order']>): Data => order;

export const orderShown = ({ payment: _link, receipt_url: _receipt, ...order }: BrandOrder): Data => order;

export const proofShown = ({
  creator,
  brief_id: _deprecated,
  slot: _slot,
  status_label: _label,
  date: _words,
  proof_url: _link,
  disclosure,
  still_up,
  ...item
}: EvidenceItem): Data => ({
  ...item,
  creator_id: creator?.id ?? null,
  disclosed: disclosure !== null,
  still_up: still_up === null ? null : { checked_at: still_up.checked_at, views: still_up.views },
});

export const resultShown = ({
  latest,
  versus: _words,
  schedule: _next,
  channel_label: _channel,
  notes: _notes,
  ...item
}: ResultItem): Data => ({ ...proofShown(item), latest: latest === null ? null : latestShown(latest) });

const latestShown = ({ line: _words, more: _more, ...latest }: NonNullable<ResultItem['latest']>): Data => latest;

/** A claim of GET /lines/{id}/dispute, without what the brand wrote. */
export const claimShown = ({ line_id: _line, text: _text, evidence: _evidence, ...claim }: LineDispute): Data => claim;

/** The newest item of GET /lines/{id}/integrity, without what was seen. */
export const seenLastShown = ({ items }: Integrity): Data | null => {
  const last = items.at(-1);
  if (last === undefined) return null;
  const { before: _before, after: _after, previous_hash: _previous, ...entry } = last;
  return entry;
};

/** A mandate without who accepted its terms, and without its retired field. */
export const mandateShown = ({
  may_exceed_budget: _retired,
  terms_accepted_email: _who,
  ...mandate
}: NonNullable<Key['mandate']>): Data => mandate;

import type { BrandOrder, CreatorGuidelines, LineDispute, ReplacementCandidate } from './generated/resources.js';

/** The public state of each aggregate after an event; a member with `?` is absent in events of older releases. */

type Format = 'post' | 'quote' | 'thread';

export type CampaignData = {
  id: string;
  campaign: string;
  display_name: string;
  company: string | null;
  product: string | null;
  archived_at: string | null;
  creator_guidelines: CreatorGuidelines;
  objective?: string | null;
  created_at?: string;
  intent_status?: 'draft' | 'ready' | null;
  open_change?: boolean;
  sent_to_team_at?: string | null;
  budget_cents?: number | null;
  moment?: string | null;
  launch_post_url?: string | null;
  replacements?: 'auto' | 'ask';
  no_plan?: 'no_candidates' | 'budget_too_small' | 'category_banned' | 'category_review' | 'building' | null;
};

export type PlanLineData = {
  id: string;
  channel: string;
  slot: string;
  scheduled_date: string;
  price_cents: number;
  creator_id: string | null;
  unit_id: string | null;
  format: Format | null;
  expected_views_low: number | null;
  expected_views_high: number | null;
};

export type PlanData = {
  id: string;
  campaign_id: string;
  status: 'awaiting_approval' | 'approved';
  terms_fingerprint: string;
  total_cents: number;
  version?: number;
  currency?: string;
  launch_window_start?: string;
  launch_window_end?: string;
  sent_at?: string;
  approved_at?: string | null;
  lines?: PlanLineData[];
};

type OrderMoney = Pick<
  BrandOrder,
  | 'order_number'
  | 'receipt_id'
  | 'received_cents'
  | 'committed_cents'
  | 'unused_cents'
  | 'stray_cents'
  | 'refunds'
  | 'credits'
  | 'lines'
>;

export type OrderData = {
  id: string;
  plan_id: string;
  campaign_id: string;
  campaign: string;
  key_id: string;
  payment_state: 'unpaid' | 'processing' | 'paid' | 'partially_refunded' | 'refunded' | 'cancelled';
  total_cents: number;
  currency: string;
  signed_at: string;
  paid_at: string | null;
  refunded_at: string | null;
  cancelled_at: string | null;
} & Partial<OrderMoney>;

export type LineData = {
  id: string;
  order_id: string;
  plan_id: string;
  campaign_id: string;
  attempt: number;
  creator_id: string;
  unit_id: string | null;
  format: string | null;
  expected_views_low: number | null;
  expected_views_high: number | null;
  scheduled_date: string;
  booked: boolean;
  cancelled: boolean;
  cancel_cause: string | null;
  proposal: {
    state: 'sending' | 'sent' | 'accepted' | 'declined' | 'no_reply' | 'unfilled';
    replaced_creator_id: string | null;
    updated_at: string;
    expires_at: string | null;
  };
  search: { choose_until: string | null; candidates: Omit<ReplacementCandidate, 'name'>[] } | null;
  ends_at: string | null;
  credits: { cause: string; amount_cents: number; at: string }[];
};

export type PostData = {
  line_id: string;
  order_id: string;
  plan_id: string;
  campaign_id: string;
  attempt: number | null;
  status: 'booked' | 'live' | 'blocked' | 'completed';
  blocked_reason: string | null;
  published_at: string | null;
  still_up: { checked_at: string; views: number | null } | null;
  listed?: boolean;
  disclosed?: boolean;
  integrity?: { seq: number; kind: string; at: string; hash: string } | null;
  claims?: Omit<LineDispute, 'line_id' | 'text' | 'evidence'>[];
};

export type ReadingData = {
  line_id: string;
  order_id: string;
  plan_id: string;
  campaign_id: string;
  attempt: number;
  published_at: string | null;
  snapshots: number;
  latest: ReadingFigures;
  previous: ReadingFigures | null;
  still_up: { checked_at: string; views: number | null } | null;
};

export type ReadingFigures = {
  captured_at: string;
  views: number | null;
  clicks: number | null;
  likes: number | null;
  comments: number | null;
  shares: number | null;
};

export type MandateData = {
  key_id: string;
  parent_id: string | null;
  cause: string;
  /** Null once it is removed, or its key revoked. */
  mandate: {
    version: number;
    max_plan_cents: number;
    monthly_cap_cents: number;
    channels: string[];
    may_approve: boolean;
    expires_at: string;
    updated_at: string;
    terms_version: string | null;
    terms_accepted_at: string | null;
  } | null;
};

export type LimitData = {
  key_id: string;
  reason: string;
  operation: string | null;
  scope: string | null;
  limit: number | null;
  creator_id: string | null;
  resets_at: string | null;
};

export type SandboxData = { number: number; seed: number };

/** The data of an event, by its kind. */
export type EventData = {
  'campaign.changed': CampaignData;
  'campaign.deleted': CampaignData;
  'plan.changed': PlanData;
  'plan.approved': PlanData;
  'order.unpaid': OrderData;
  'order.processing': OrderData;
  'order.paid': OrderData;
  'order.partially_refunded': OrderData;
  'order.refunded': OrderData;
  'order.cancelled': OrderData;
  'line.offered': LineData;
  'line.accepted': LineData;
  'line.booked': LineData;
  'line.declined': LineData;
  'line.no_reply': LineData;
  'line.unfilled': LineData;
  'line.cancelled': LineData;
  'post.booked': PostData;
  'post.live': PostData;
  'post.blocked': PostData;
  'post.completed': PostData;
  'reading.taken': ReadingData;
  'mandate.changed': MandateData;
  'limit.reached': LimitData;
  'sandbox.reset': SandboxData;
};

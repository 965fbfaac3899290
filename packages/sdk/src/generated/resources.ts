// Generated from libs/contracts by `npm run generate`. Do not edit.

export type CampaignInput = {
  /** The goal of the campaign. */
  goal: "launch" | "funding" | "feature" | "program";
  /** What is promoted. */
  product: string;
  /** What goes live, and on which day. */
  moment: string;
  /** First day of the launch window, UTC: today or later. */
  window_start: string;
  /** Last day of the launch window: on or after window_start, at most one year later. */
  window_end: string;
  /** The most that the plan may cost, in US dollars. */
  budget_usd: number;
  /** Who should see it, in words. Default: the audience of the company context. */
  audience?: string | undefined;
  /** Where the audience is. Default: worldwide. */
  geography?: string | undefined;
  /** The company's name. Default: the name in the company context. */
  company?: string | undefined;
  /** What the campaign should achieve. Default: the usual outcome of the goal. */
  desired_outcome?: string | undefined;
  /** The category of the product. If left out, only the texts are screened. */
  category?: "adult" | "alcohol" | "contraceptives" | "dating" | "drugs" | "tobacco-nicotine" | "weapons" | "weight-loss" | "medicines-supplements" | "politics-social-issues" | "gambling" | "financial-products" | "crypto" | "health-devices-services" | "products-for-children" | "other" | undefined;
  /** The most creators that the plan may have. */
  max_creators?: number | undefined;
  /** The formats that the plan may buy. Default: all. */
  formats?: ("post" | "quote" | "thread")[] | undefined;
  /** The most that one post may cost, in US dollars. */
  max_price_usd?: number | undefined;
  /** Creators that the plan must not have, by the ids of creators_search. */
  exclude_creator_ids?: string[] | undefined;
  /**
   * Your own post on X that creators quote. Creators who quote it are shown the link; it may be set until the last of
   * them is live.
   */
  launch_post_url?: string | undefined;
  /**
   * Who replaces a creator who declines. auto (default): the search, at once. ask: you, within a day; then the search.
   */
  replacements?: "auto" | "ask" | undefined;
};

export type CreatorGuidelinesInput = {
  pitch?: string | undefined;
  key_messages?: string[] | undefined;
  references?: string[] | undefined;
  voice?: string | undefined;
  dos?: string[] | undefined;
  donts?: string[] | undefined;
};

export type Inventory = {
  segments: Segment[];
  unresolved: boolean;
  coverage_as_of: Timestamp | null;
  channels: ChannelFit[];
  catalog?: CatalogCounts | undefined;
};

export type Segment = {
  id: string;
  label: string;
};

export type Timestamp = string;

export type ChannelFit = {
  channel: "x_creators" | "reddit" | "clipping";
  label: string;
  sale: "live" | "next";
  level: "strong" | "thin" | "none";
  /** Approved creators reaching the audience. */
  verified_nodes: Count;
  /** How many of them are bookable now. */
  bookable_nodes: Count;
  /** Posts on sale at a current price; a creator may have several. */
  priced_units: Count;
  note: string;
};

export type Count = number;

export type CatalogCounts = {
  approved: Count;
  priced: Count;
};

export type ErrorBody = {
  error: {
    code: "bad_request" | "filter_required" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "rate_limited" | "unavailable" | "internal" | "mandate_refused" | "conflict" | "unprocessable" | "idempotency_conflict" | "in_progress";
    message: string;
    details?: Record<string, unknown> | undefined;
    /** The signed receipt of a mandate's refusal. */
    receipt_id?: Uuid | undefined;
  };
};

export type Uuid = string;

export type AudienceFit = {
  version: 1;
  computed_at: Timestamp;
  coverage_as_of: Timestamp | null;
  segments: Segment[];
  regions: string[];
  unresolved: boolean;
  /** Whose words were read: the request's or its campaign's, or the audience on file. Absent without any. */
  audience_from?: "described" | "on_file" | undefined;
  channels: ChannelFit[];
  thin: boolean;
  summary: string;
};

export type Creators = {
  total: Count;
  priced: Count;
  catalog?: CatalogCounts | undefined;
  cap: Count;
  limit: Count;
  offset: Count;
  /** What budget did: how many creators to read for it, and why. */
  shortlist?: {
    limit: Count;
    why: string;
  } | undefined;
  creators: CreatorSummary[];
  /** Why the list is empty; only in an empty answer. */
  note?: string | undefined;
};

export type CreatorSummary = {
  id: Uuid;
  name: string | null;
  status: "approved" | "borderline" | "not_reviewed" | "declined";
  status_label: "Not reviewed" | "Reviewed" | "Under review";
  status_reason: string;
  in_automatic_plans: boolean;
  match_score: number | null;
  match_label: string | null;
  on_sale: boolean;
  reach_band: "nano" | "micro" | "mid" | "macro" | "mega";
  /** Same as median_views_30d_network. @deprecated Ends on 2027-01-11. */
  median_views_30d?: Count | null | undefined;
  median_views_30d_network: Count | null;
  followers: Count | null;
  verified_badge: boolean | null;
  country: string | null;
  language: string | null;
  segments: string[];
  bio: string | null;
  positioning: string | null;
  avatar_url: string | null;
  ask_price: boolean;
  price_estimate: PriceEstimate | null;
  engagement_rate_30d: number | null;
  posts_per_week: number | null;
  match_reasons: MatchReason[];
  offerings: Offering[];
  synced_at: Timestamp | null;
  refresh_failed_at: Timestamp | null;
  advice: FormatAdvice;
  past_collabs: ListedCollab[];
  views_series: number[];
};

export type PriceEstimate = {
  min_usd: Count;
  max_usd: Count;
  label: string;
  provenance: Provenance;
  calc: {
    calc_version: string;
    inputs: {
      views: Count;
      views_basis: "posts" | "followers";
      reach_band: "nano" | "micro" | "mid" | "macro" | "mega";
      engagement_rate: number | null;
      comparables: Count;
    };
  };
};

export type Provenance = {
  source: "team" | "creator" | "model";
  method: "set_price" | "agreed_rate" | "stated" | "price-1";
  measured_at: Timestamp;
  expires_at: Timestamp | null;
  label: "Verified" | "Creator-reported" | "Estimated";
  stale: boolean;
  as_of: Timestamp | null;
};

export type MatchReason = {
  kind: "topic" | "reach" | "past_launches" | "engagement";
  text: string;
};

export type Offering = {
  unit_id: Uuid;
  format: "post" | "quote" | "thread";
  label: string;
  deliverable: string | null;
  /** All-in price in US cents. If not buyable, the last known price. */
  price_cents: Cents;
  buyable: boolean;
  price_as_of: CalendarDate;
  /** Expected views of one paid post; null if unmeasured. */
  expected_views: Count | null;
  cost_per_1k_views_cents: Cents | null;
  provenance: Provenance;
  calc: OfferingCalc;
};

/** US cents */
export type Cents = number;

export type CalendarDate = string;

export type OfferingCalc = {
  calc_version: string;
  inputs: {
    posts_measured: Count;
    median_views: Count | null;
    followers: Count | null;
    reach_band: "nano" | "micro" | "mid" | "macro" | "mega";
    format: "post" | "quote" | "thread";
    format_factor: number;
    paid_factor: number;
    views_source: "network" | "creator";
  };
};

export type FormatAdvice = {
  recommended: "post" | "quote" | null;
  reason: string;
};

export type ListedCollab = {
  project: string;
  title: string | null;
  date: CalendarDate | null;
  role: "Launch post" | "Quoted the launch" | "Paid partnership";
  brand: ListedBrand;
};

export type ListedBrand = {
  avatar_url: string | null;
  site: string | null;
  initials: string | null;
};

export type Creator = {
  id: Uuid;
  name: string | null;
  status: "approved" | "borderline" | "not_reviewed" | "declined";
  status_label: "Not reviewed" | "Reviewed" | "Under review";
  status_reason: string;
  in_automatic_plans: boolean;
  match_score: number | null;
  match_label: string | null;
  on_sale: boolean;
  reach_band: "nano" | "micro" | "mid" | "macro" | "mega";
  /** Same as median_views_30d_network. @deprecated Ends on 2027-01-11. */
  median_views_30d?: Count | null | undefined;
  median_views_30d_network: Count | null;
  followers: Count | null;
  verified_badge: boolean | null;
  country: string | null;
  language: string | null;
  segments: string[];
  bio: string | null;
  positioning: string | null;
  avatar_url: string | null;
  ask_price: boolean;
  price_estimate: PriceEstimate | null;
  engagement_rate_30d: number | null;
  posts_per_week: number | null;
  match_reasons: MatchReason[];
  offerings: Offering[];
  synced_at: Timestamp | null;
  refresh_failed_at: Timestamp | null;
  advice: FormatAdvice;
  past_collabs: PastCollab[];
  handle: string | null;
  url: string | null;
  recent_posts: RecentPost[];
  posts_summary: PostsSummary | null;
};

export type PastCollab = {
  project: string;
  title: string | null;
  date: CalendarDate | null;
  role: "Launch post" | "Quoted the launch" | "Paid partnership";
  brand: CollabBrand;
  url: string | null;
};

export type CollabBrand = {
  avatar_url: string | null;
  site: string | null;
  initials: string | null;
  handle: string | null;
};

export type RecentPost = {
  kind: "post" | "quote" | "thread";
  published_at: Timestamp;
  text: string;
  views: Count | null;
  likes: Count | null;
  replies: Count | null;
  reposts: Count | null;
  quotes: Count | null;
  bookmarks: Count | null;
  url: string | null;
};

export type PostsSummary = {
  posts: Count;
  window_days: Count;
  capped: boolean;
  /** Same as posts_sample_median_views. @deprecated Ends on 2027-01-11. */
  median_views?: Count | null | undefined;
  posts_sample_median_views: Count | null;
  top_post: {
    url: string | null;
    views: Count;
    excerpt: string;
  } | null;
  recurring: string[];
  latest_at: Timestamp;
  as_of: Timestamp;
};

export type PriceRequest = {
  requested: boolean;
  already: boolean;
  status: "requested" | "priced";
  requested_at: Timestamp;
};

export type Campaigns = {
  campaigns: CampaignSummary[];
  /** Why the list is empty; only in an empty answer. */
  note?: string | undefined;
};

export type CampaignSummary = {
  id: Uuid;
  display_name: string;
  company: string | null;
  product: string | null;
  objective: string | null;
  created_at: Timestamp;
  plan_status: "awaiting_approval" | "approved" | null;
  open_change: boolean;
  intent_status: "draft" | "ready" | null;
  /** Use this in code, never the label. */
  stage_id: "draft" | "sent" | "plan_ready" | "approved" | "paid" | "running" | "complete" | "cancelled";
  stage: "Draft" | "Sent" | "Plan ready" | "Approved" | "Paid" | "Running" | "Complete" | "Cancelled" | "Archived";
  /** Whether the brand has to approve or pay. Choices of replacements are in campaign_status. */
  waits_on_you: boolean;
  refunded_at: Timestamp | null;
  archived_at: Timestamp | null;
};

export type CampaignStarted = {
  id: Uuid;
  campaign: string;
  display_name: string;
  /** Use this in code, never the label. */
  stage_id: "draft" | "sent" | "plan_ready" | "approved" | "paid" | "running" | "complete" | "cancelled";
  stage: "Draft" | "Sent" | "Plan ready" | "Approved" | "Paid" | "Running" | "Complete" | "Cancelled" | "Archived";
  created_at: Timestamp;
  budget_usd: number;
  budget_cents: Cents;
  defaults: {
    field: "audience" | "geography" | "company" | "desired_outcome";
    value: string;
    from: "company_context" | "rule";
  }[];
  plan: Quote | null;
  no_plan: {
    reason: "no_candidates" | "budget_too_small" | "category_banned" | "category_review" | "building";
    message: string;
  } | null;
  /** What a colleague would mention, most important first. Nothing here needs a reply. */
  notes?: Note[] | undefined;
};

export type Quote = {
  plan_id: Uuid;
  campaign_id: Uuid;
  version: number;
  status: "awaiting_approval" | "approved";
  currency: string;
  launch_window_start: CalendarDate;
  launch_window_end: CalendarDate;
  /** Send this value, unchanged, to approve_plan. */
  terms_fingerprint: string;
  total_cents: Cents;
  totals: QuoteTotals;
  lines: QuoteLine[];
  payment_options: PaymentOption[];
  agent_payment: "checkout" | "team_invoice";
  brand_terms: BrandTerms;
  mandate: Mandate | null;
  policy: Policy;
  blocked_lines: Uuid[];
  over_budget: OverBudget | null;
  order: OrderInQuote | null;
  valid_while: "terms_fingerprint_unchanged";
  /** What a colleague would mention, most important first. Nothing here needs a reply. */
  notes?: Note[] | undefined;
};

export type QuoteTotals = {
  creators: Count;
  total_cents: Cents;
  views_low: Count | null;
  views_high: Count | null;
  unmeasured: Count;
  cpm_low_cents: Cents | null;
  cpm_high_cents: Cents | null;
  tiers: {
    nano: Count;
    micro: Count;
    mid: Count;
    macro: Count;
    mega: Count;
  };
  budget_cents: Cents | null;
  remaining_cents: Cents | null;
};

export type QuoteLine = {
  id: Uuid;
  creator: QuoteCreator | null;
  creator_id: Uuid | null;
  unit_id: Uuid | null;
  stage_id: "planned" | "offered" | "creator_confirmed" | "scheduled" | "live" | "proof_attached" | "cancelled";
  stage: "Planned" | "Offered" | "Creator confirmed" | "Scheduled" | "Live" | "Proof attached" | "Cancelled";
  channel: string;
  channel_label: string;
  format: "post" | "quote" | "thread" | null;
  deliverable: string;
  scheduled_date: CalendarDate;
  /** All-in price in US cents. */
  price_cents: Cents;
  vetting: string | null;
  reason: string | null;
  /** The creator's score for the campaign's audience, 0 to 100. null without an audience. */
  match_score?: number | null | undefined;
  /** About two of three posts fall between this and expected_views_high. null if unmeasured. */
  expected_views_low: Count | null;
  expected_views_high: Count | null;
  on_sale: boolean;
};

export type QuoteCreator = {
  id?: Uuid | undefined;
  name: string | null;
  handle: string | null;
  profile_url: string | null;
  avatar_url?: string | undefined;
  followers?: Count | undefined;
};

export type PaymentOption = {
  rail: "checkout" | "invoice";
  label: string;
  clears: string;
};

export type BrandTerms = {
  current_version: string | null;
  current_number: number | null;
  url: string;
  accepted_for_this_key: string | null;
  accepted_number_for_this_key: number | null;
};

export type Mandate = {
  key_id: Uuid;
  version: number;
  max_plan_cents: Cents;
  monthly_cap_cents: Cents;
  channels: string[];
  may_approve: boolean;
  /** Retired, always false. @deprecated */
  may_exceed_budget?: false | undefined;
  expires_at: Timestamp;
  updated_at: Timestamp;
  spent_this_month_cents: Cents;
  terms_version: string | null;
  terms_accepted_at: Timestamp | null;
  terms_accepted_email: string | null;
};

export type Policy = {
  allowed: boolean;
  refusal: PolicyRefusal | null;
};

export type PolicyRefusal = {
  code: "mandate_refused" | "conflict";
  reason: "plan_signed" | "archived" | "no_mandate" | "mandate_expired" | "channel_not_allowed" | "approval_not_allowed" | "terms_not_accepted" | "over_budget" | "lines_blocked" | "over_max_plan_total" | "over_monthly_cap";
  escalate?: true | undefined;
  limit_cents?: Cents | undefined;
  requested_cents?: Cents | undefined;
  over_by_cents?: Cents | undefined;
  spent_cents?: Cents | undefined;
  budget_cents?: Cents | undefined;
  total_cents?: Cents | undefined;
  expired_at?: Timestamp | undefined;
  approved_at?: Timestamp | undefined;
  channels?: string[] | undefined;
  current_version?: string | null | undefined;
  accepted_version?: string | null | undefined;
  url?: string | undefined;
  lines?: {
    line_id: Uuid;
    price_cents: Cents;
    current_price_cents: Cents;
  }[] | undefined;
  line_ids?: Uuid[] | undefined;
};

export type OverBudget = {
  budget_cents: Cents;
  total_cents: Cents;
  over_by_cents: Cents;
};

export type OrderInQuote = {
  payment_state: "unpaid" | "processing" | "paid" | "partially_refunded" | "refunded" | "cancelled";
  total_cents: Cents;
  currency: string;
  signed_at: Timestamp;
  paid_at: Timestamp | null;
  payment: Payment | null;
};

export type Payment = {
  rail: "checkout" | "invoice";
  label: string;
  clears: string;
  url: string;
  expires_at: Timestamp;
};

export type Note = {
  kind: "no_plan" | "change_answered" | "mandate_below_budget" | "over_own_limits" | "audience_not_understood" | "geography_not_understood" | "geography_not_shown" | "launch_post_missing" | "short_window" | "launch_day" | "no_launch_day" | "also_in_other_plan" | "money_left" | "replacement_choice" | "replacement_search" | "post_blocked" | "credited";
  text: string;
  /** The input fields that the note is about. */
  fields: string[];
};

export type CampaignStatus = {
  id: Uuid;
  campaign: string;
  created_at: Timestamp;
  refunded_at: Timestamp | null;
  archived_at: Timestamp | null;
  intent_status: "draft" | "ready" | null;
  plan_status: "awaiting_approval" | "approved" | null;
  open_change: boolean;
  /** Use this in code, never the label. */
  stage_id: "draft" | "sent" | "plan_ready" | "approved" | "paid" | "running" | "complete" | "cancelled";
  stage: "Draft" | "Sent" | "Plan ready" | "Approved" | "Paid" | "Running" | "Complete" | "Cancelled" | "Archived";
  plan: CampaignPlan | null;
  order: Order | null;
  creator_guidelines: CreatorGuidelines;
  moment?: string | null | undefined;
  launch_post_url?: string | null | undefined;
  replacements?: "auto" | "ask" | undefined;
  /** What a colleague would mention, most important first. Nothing here needs a reply. */
  notes?: Note[] | undefined;
};

export type CampaignPlan = {
  id: Uuid;
  version: number;
  status: "awaiting_approval" | "approved";
  launch_window_start: CalendarDate;
  launch_window_end: CalendarDate;
  currency: string;
  sent_at: Timestamp | null;
  approved_at: Timestamp | null;
  total_cents: Cents;
  lines: PlanLine[];
  lines_by_status: {
    planned: Count;
    booked: Count;
    live: Count;
    completed: Count;
    blocked: Count;
    cancelled: Count;
  };
  lines_by_stage: {
    planned: Count;
    offered: Count;
    creator_confirmed: Count;
    scheduled: Count;
    live: Count;
    proof_attached: Count;
    cancelled: Count;
  };
};

export type PlanLine = {
  id: Uuid;
  channel: string;
  channel_label: string;
  slot: string;
  scheduled_date: CalendarDate;
  price_cents: Cents;
  status: "planned" | "booked" | "live" | "completed" | "blocked" | "cancelled";
  stage_id: "planned" | "offered" | "creator_confirmed" | "scheduled" | "live" | "proof_attached" | "cancelled";
  stage: "Planned" | "Offered" | "Creator confirmed" | "Scheduled" | "Live" | "Proof attached" | "Cancelled";
  proposal: Proposal | null;
  /** What is happening to a paid line and what comes next. An addition to the specification. */
  next?: LineNext | null | undefined;
};

export type Proposal = {
  state: "sending" | "sent" | "accepted" | "declined" | "no_reply" | "unfilled";
  creator_handle: string;
  /** The creator that this one replaced. */
  replaced_handle: string | null;
  updated_at: Timestamp | null;
};

export type LineNext = {
  text: string;
  /** When it happens at the latest; null when nothing more will. */
  at: Timestamp | null;
  /** While you may choose: the candidates, of whom you name one by unit_id. */
  candidates?: ReplacementCandidate[] | undefined;
};

export type ReplacementCandidate = {
  unit_id: Uuid;
  creator_id: Uuid;
  name: string | null;
  price_cents: Cents;
  expected_views: Count | null;
  match_score: number | null;
};

export type Order = {
  payment_state: "unpaid" | "processing" | "paid" | "partially_refunded" | "refunded" | "cancelled";
  total_cents: Cents;
  currency: string;
  signed_at: Timestamp;
  paid_at: Timestamp | null;
};

export type CreatorGuidelines = {
  pitch: string;
  key_messages: string[];
  references: string[];
  voice: string;
  dos: string[];
  donts: string[];
};

export type CampaignRenamed = {
  id: Uuid;
  campaign: string;
  display_name: string;
  moment?: string | null | undefined;
  launch_post_url?: string | null | undefined;
  replacements?: "auto" | "ask" | undefined;
  /** What stays as it is in spite of the change. */
  note?: string | undefined;
  /** With moment: the plan afterwards, with new terms if lines moved. */
  plan?: {
    id: Uuid;
    version: number;
    terms_fingerprint: string;
    lines_moved: Count;
  } | null | undefined;
  /**
   * With moment: what a colleague would mention about the campaign afterwards, such as the day that was read from it.
   */
  notes?: Note[] | undefined;
};

export type CampaignDeleted = {
  id: Uuid;
  deleted: true;
};

export type GuidelinesSet = {
  campaign_id: Uuid;
  creator_guidelines: CreatorGuidelines;
};

export type LineAdded = {
  line_id: Uuid;
  plan: Quote;
};

export type LineRemoved = {
  removed_line_id: Uuid;
  plan: Quote;
};

export type LineSwapped = {
  line_id: Uuid;
  removed_line_id: Uuid;
  plan: Quote;
};

export type DatesMoved = {
  lines_moved: Count;
  plan: Quote;
};

export type PlanApproved = {
  plan_id: Uuid;
  campaign_id: Uuid;
  status: "approved";
  approved_at: Timestamp;
  order_id: Uuid;
  order: Order;
  payment: Payment;
  plan: Quote;
};

export type Evidence = {
  items: EvidenceItem[];
  /** Why the list is empty; only in an empty answer. */
  note?: string | undefined;
};

export type EvidenceItem = {
  id: Uuid;
  /** The line of the plan; same as id. */
  line_id?: Uuid | undefined;
  creator?: PostCreator | undefined;
  campaign_id: Uuid;
  /** Same as campaign_id. @deprecated Ends on 2026-11-10. */
  brief_id?: Uuid | undefined;
  campaign: string;
  slot: string;
  status: "live" | "completed";
  status_label: string;
  date: string;
  proof_url: string | null;
  published_at: Timestamp | null;
  disclosure: string | null;
  still_up: StillUp | null;
  /** The line was cancelled or its order refunded after the post ran. Absent otherwise. */
  cancelled?: true | undefined;
};

export type PostCreator = {
  id: Uuid;
  name: string | null;
  handle: string | null;
};

export type StillUp = {
  checked_at: Timestamp;
  views: Count | null;
  line: string;
};

export type Results = {
  items: ResultItem[];
  totals?: ResultTotals | undefined;
  /** Why the list is empty; only in an empty answer. */
  note?: string | undefined;
};

export type ResultItem = {
  id: Uuid;
  /** The line of the plan; same as id. */
  line_id?: Uuid | undefined;
  creator?: PostCreator | undefined;
  campaign_id: Uuid;
  /** Same as campaign_id. @deprecated Ends on 2026-11-10. */
  brief_id?: Uuid | undefined;
  campaign: string;
  slot: string;
  status: "live" | "completed";
  status_label: string;
  date: string;
  proof_url: string | null;
  published_at: Timestamp | null;
  disclosure: string | null;
  still_up: StillUp | null;
  /** The line was cancelled or its order refunded after the post ran. Absent otherwise. */
  cancelled?: true | undefined;
  scheduled_date: CalendarDate;
  latest: LatestReading | null;
  snapshots: Count;
  previous: PreviousReading | null;
  versus: string;
  schedule: string | null;
  channel_label?: string | undefined;
  spend_cents?: Cents | null | undefined;
  currency?: string | null | undefined;
  /** What stands out; absent when nothing does. */
  notes?: string[] | undefined;
};

export type LatestReading = {
  line: string;
  as_of: Timestamp;
  views: Count | null;
  clicks: Count | null;
  likes?: Count | null | undefined;
  comments?: Count | null | undefined;
  shares?: Count | null | undefined;
  more: {
    line: string;
    as_of: Timestamp;
  }[];
};

export type PreviousReading = {
  views: Count | null;
  likes: Count | null;
  comments: Count | null;
  shares: Count | null;
  captured_at: Timestamp;
};

export type ResultTotals = {
  posts: Count;
  views: Count | null;
  spend_cents: Cents;
  /** Cost per 1,000 views, of the posts that have views. */
  cpm_cents: Cents | null;
  expected_low: Count | null;
  expected_high: Count | null;
};

export type Brain = BrainFull | BrainSection;

export type BrainFull = {
  version: Count;
  confirmed_at: Timestamp | null;
  context: {
    name?: string | undefined;
    summary?: string | undefined;
    audience?: string | undefined;
  };
  versions: {
    version: number;
    created_at: Timestamp;
  }[];
};

export type BrainSection = {
  version: Count;
  confirmed_at: Timestamp | null;
  section: "name" | "summary" | "audience";
  value: string | null;
};

export type FeedbackReceived = {
  id: Uuid;
  received_at: Timestamp;
};

export type PlanRationale = {
  plan_id: Uuid;
  campaign_id: Uuid;
  /** The current version of the plan. */
  plan_version: number;
  /** The plan version that the reasons describe; null if the builder did not choose the plan. */
  reasons_version: number | null;
  built_at: Timestamp | null;
  note: string;
  /**
   * Value of the plan as built, in qualified views: expected views weighted by match, data quality, chance of
   * acceptance and goal. Each further creator on the same topic and reach band adds less.
   */
  value: number | null;
  lines: RationaleLine[];
  /** Current lines that were added after the reasons were written. */
  added_since: Uuid[];
  left_out: LeftOutCreator[];
  gap: {
    /** The best possible plan under the same limits has a value of at most value / (1 - share). */
    share: number;
    words: string;
  } | null;
  /** What a colleague would mention, most important first. Nothing here needs a reply. */
  notes?: Note[] | undefined;
};

export type RationaleLine = {
  line_id: Uuid;
  /** Whether the line is still on the plan. */
  on_plan: boolean;
  creator_id: Uuid;
  format: "post" | "quote" | "thread";
  /** How much value the plan as built would lose without this line. */
  marginal_value: number;
  /** marginal_value as a share of value. */
  share: number;
  expected_views: Count;
  expected_views_low: Count;
  expected_views_high: Count;
};

export type LeftOutCreator = {
  creator_id: Uuid;
  unit_id: Uuid;
  name: string | null;
  reach_band: string;
  format: "post" | "quote" | "thread";
  /** How much value it would have added to the plan as built. */
  value: number;
  reason: "value" | "price" | "limit";
  limit: "budget" | "line_price" | "lines" | "creators" | "reach_band" | "spend_rule";
  why: string;
  /** Current all-in price; null while the format is not on sale. */
  price_cents: Cents | null;
};

export type Key = {
  id: Uuid;
  public_id: string | null;
  name: string;
  scopes: ("inventory:read" | "audience:read" | "campaigns:read" | "evidence:read" | "results:read" | "brain:read" | "creators:read" | "campaigns:write" | "plans:approve")[];
  created_at: Timestamp;
  created_by: string;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
  /** Of a child key: the key that made it. */
  parent_id: Uuid | null;
  /** Whether the key may make child keys. */
  may_delegate: boolean;
  mandate: Mandate | null;
};

export type PlanPreflight = {
  plan_id: Uuid;
  campaign_id: Uuid;
  plan_version: number;
  terms_fingerprint: string;
  total_cents: Cents;
  /** Whether approve with this terms_fingerprint would sign now. */
  would_pass: boolean;
  /** Every rule that fails, in the order of approve, which answers the first one. */
  failures: PreflightFailure[];
  /** The fewest drops and swaps that make every rule pass; empty if all pass, null if none do. */
  edits: SuggestedEdit[] | null;
};

export type PreflightFailure = {
  code: "mandate_refused" | "conflict" | "forbidden" | "unavailable";
  reason: "missing_scope" | "writes_closed" | "plan_signed" | "archived" | "no_mandate" | "mandate_expired" | "channel_not_allowed" | "approval_not_allowed" | "terms_not_accepted" | "over_budget" | "lines_blocked" | "over_max_plan_total" | "over_monthly_cap" | "payments_closed" | "terms_changed";
  escalate?: true | undefined;
  limit_cents?: Cents | undefined;
  requested_cents?: Cents | undefined;
  over_by_cents?: Cents | undefined;
  spent_cents?: Cents | undefined;
  budget_cents?: Cents | undefined;
  total_cents?: Cents | undefined;
  expired_at?: Timestamp | undefined;
  approved_at?: Timestamp | undefined;
  channels?: string[] | undefined;
  current_version?: string | null | undefined;
  accepted_version?: string | null | undefined;
  url?: string | undefined;
  lines?: {
    line_id: Uuid;
    price_cents: Cents;
    current_price_cents: Cents;
  }[] | undefined;
  line_ids?: Uuid[] | undefined;
  message: string;
  /**
   * The fewest drops and swaps that make this rule pass, in the order to send them; null if none do or none are needed.
   */
  edits: SuggestedEdit[] | null;
};

export type SuggestedEdit = {
  /** drop: plan_remove_creator; swap: plan_swap_creator. */
  edit: "drop" | "swap";
  line_id: Uuid;
  /** Current all-in price of the line in US cents. */
  price_cents: Cents;
  /** Expected views of the line; null if unmeasured. */
  expected_views: number | null;
  /** Whose unit_id to send to plan_swap_creator; null to drop the line. */
  instead: {
    unit_id: Uuid;
    creator_id: Uuid;
    name: string | null;
    format: "post" | "quote" | "thread";
    price_cents: Cents;
    expected_views: number | null;
  } | null;
};

export type BrandOrder = {
  payment_state: "unpaid" | "processing" | "paid" | "partially_refunded" | "refunded" | "cancelled";
  total_cents: Cents;
  currency: string;
  signed_at: Timestamp;
  paid_at: Timestamp | null;
  id: Uuid;
  /** The order number on the payment page, the invoice and the receipt. */
  order_number: string;
  plan_id: Uuid;
  campaign_id: Uuid;
  campaign: string;
  refunded_at: Timestamp | null;
  cancelled_at: Timestamp | null;
  /** The payment link while there is something to pay; null for keys without plans:approve. */
  payment: Payment | null;
  /**
   * The page to print as a receipt of the payment, once paid; null for keys without plans:approve, and once the key
   * that keeps its link is retired.
   */
  receipt_url: string | null;
  /** The receipt of its signing, for GET /receipts/{id}; null if it was signed before receipts existed. */
  receipt_id: Uuid | null;
  /** US cents received for this order. */
  received_cents: Cents;
  refunds: {
    id: Uuid;
    amount_cents: Cents;
    line_id: Uuid | null;
    at: Timestamp;
  }[];
  credits: {
    id: Uuid;
    line_id: Uuid;
    cause: "cancelled" | "remedy" | "unfilled" | "undated" | "post_missing" | "post_gone" | "no_disclosure" | "cheaper" | "dispute";
    amount_cents: Cents;
    state: "due" | "refunded" | "waived";
  }[];
  /** US cents received that pay for lines. */
  committed_cents: Cents;
  /** US cents received, not refunded and not committed: received_cents − refunds − committed_cents. */
  unused_cents: Cents;
  /** US cents received beyond the total and not refunded yet; they are returned. */
  stray_cents: Cents;
  lines: {
    line_id: Uuid;
    number: number;
    price_cents: Cents;
    /** What of the price pays for the line. */
    committed_cents: Cents;
    /**
     * awaiting_payment; given_back: cancelled before payment; committed: pays for the line; credited: owed to you, at
     * least in part; refunded: paid back, at least in part.
     */
    money: "awaiting_payment" | "given_back" | "committed" | "credited" | "refunded";
  }[];
};

export type PaidLine = {
  id: Uuid;
  campaign_id: Uuid;
  order_id: Uuid;
  creator_id: Uuid;
  unit_id: Uuid | null;
  scheduled_date: CalendarDate;
  price_cents: Cents;
  booked: boolean;
  cancelled: boolean;
  proposal: {
    state: "sending" | "sent" | "accepted" | "declined" | "no_reply" | "unfilled";
    attempt: number;
    expires_at: Timestamp | null;
    updated_at: Timestamp;
  };
};

export type Events = {
  events: FeedEvent[];
  next: string;
};

export type FeedEvent = {
  id: Uuid;
  at: Timestamp;
  kind: "campaign.changed" | "campaign.deleted" | "plan.changed" | "plan.approved" | "order.unpaid" | "order.processing" | "order.paid" | "order.partially_refunded" | "order.refunded" | "order.cancelled" | "line.offered" | "line.accepted" | "line.booked" | "line.declined" | "line.no_reply" | "line.unfilled" | "line.cancelled" | "post.booked" | "post.live" | "post.blocked" | "post.completed" | "reading.taken" | "mandate.changed" | "limit.reached" | "sandbox.reset";
  aggregate: {
    type: "campaign" | "plan" | "order" | "line" | "post" | "reading" | "mandate" | "limit" | "sandbox";
    id: Uuid;
  };
  version: number;
  /** The public state of the aggregate after the event, in the field names of its resource. */
  data: Record<string, unknown>;
};

export type Limits = {
  limits: LimitPool[];
};

export type LimitPool = {
  /** The `details.reason` of a refusal by this limit. */
  name: "request_rate" | "daily_writes" | "per_minute" | "locked" | "daily_lists" | "daily_reveals" | "daily_seen" | "daily_limit" | "daily_campaign_limit" | "child_key_limit" | "daily_feedback" | "stream_limit" | "over_max_plan_total" | "over_monthly_cap";
  /** Whom it counts: this key, the key that made it, a person’s session, all keys of the brand, or the workspace. */
  scope: "key" | "parent" | "session" | "brand" | "workspace" | "address";
  unit: "requests" | "reads" | "searches" | "creators" | "price_requests" | "campaigns" | "keys" | "streams" | "writes" | "messages" | "cents";
  limit: Count;
  left: Count;
  refills: "at_once" | "one_by_one" | "never";
  /** When it comes back, all of it or its oldest use; null if nothing was used or nothing comes back. */
  resets_at: Timestamp | null;
  /** Of price requests in all: how many one creator may have. A creator without an entry has them all. */
  per_creator?: Count | undefined;
  /** Of price requests: the one creator that this limit is about. */
  creator_id?: Uuid | undefined;
};

export type UsageByDay = {
  range_days: number;
  timezone: "UTC";
  days: {
    day: CalendarDate;
    ok: Count;
    errors: Count;
  }[];
  total: Count;
  errors: Count;
};

export type RequestLog = {
  requests: {
    id: Uuid;
    at: Timestamp;
    key_id: Uuid;
    key_name: string;
    door: "rest" | "mcp" | "app";
    operation: string | null;
    method: string;
    path: string;
    status: number;
    code: string | null;
    reason: string | null;
    duration_ms: number;
    request_id: string;
  }[];
  next: string | null;
};

export type NetworkFacts = {
  approved: Count;
  priced: Count;
  as_of: Timestamp;
};

export type SandboxClock = {
  now: Timestamp;
  offset_seconds: number;
  pending: {
    kind: string;
    due_at: Timestamp;
  }[];
};

export type SandboxFaults = {
  items: SandboxFault[];
};

export type SandboxFault = {
  id: Uuid;
  operation: string;
  /** null: the operation answers, after the delay. */
  status: number | null;
  code: "bad_request" | "filter_required" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "rate_limited" | "unavailable" | "internal" | "mandate_refused" | "conflict" | "unprocessable" | "idempotency_conflict" | "in_progress" | null;
  reason: string | null;
  delay_ms: number;
  /** How many more calls will get it. */
  times_left: number;
};

export type SandboxLine = {
  id: Uuid;
  campaign_id: Uuid;
  scheduled_date: CalendarDate;
  booked: boolean;
  proposal: Proposal;
};

export type SandboxPost = {
  id: Uuid;
  campaign_id: Uuid;
  scheduled_date: CalendarDate;
  status: "booked" | "live" | "blocked" | "completed";
  proof_url: string | null;
  published_at: Timestamp | null;
  disclosure: string | null;
  pending: {
    kind: string;
    due_at: Timestamp;
  }[];
};

export type IntegrityItem = {
  at: Timestamp;
  kind: "accepted" | "withdrawn" | "deleted" | "restored" | "edited" | "disclosure_hidden" | "disclosure_shown" | "inflated";
  before: SeenPost | null;
  after: SeenPost | null;
  seq: number;
  previous_hash: string | null;
  /** SHA-256 over this entry and the hash of the one before it. */
  hash: string;
};

export type SeenPost = {
  /** SHA-256 of what was seen, in hex. */
  digest: string;
  present: boolean;
  text: string | null;
  media_ids: string[];
  disclosure: string | null;
  views: Count | null;
  likes: Count | null;
};

export type SandboxOrder = {
  payment_state: "unpaid" | "processing" | "paid" | "partially_refunded" | "refunded" | "cancelled";
  total_cents: Cents;
  currency: string;
  signed_at: Timestamp;
  paid_at: Timestamp | null;
  id: Uuid;
  plan_id: Uuid;
  campaign_id: Uuid;
  /** Why the order is unpaid after an outcome that pays nothing. */
  note?: string | undefined;
};

export type SandboxReset = {
  number: number;
  seed: number;
  reset_at: Timestamp;
};

export type SandboxUnit = {
  unit_id: Uuid;
  price_cents: Cents | null;
  age_days: Count | null;
  off_sale: boolean;
};

export type LineDispute = {
  id: Uuid;
  line_id: Uuid;
  claim: "not_as_agreed" | "gone" | "undisclosed" | "wrong_day";
  text: string;
  evidence: string[];
  state: "open" | "decided";
  opened_at: Timestamp;
  /** When it is decided at the latest. */
  due_at: Timestamp;
  remedy: "makegood" | "credit" | "none" | null;
  amount_cents: Cents | null;
  reason: string | null;
  decided_at: Timestamp | null;
};

export type PlanHistory = {
  versions: HistoryVersion[];
};

export type HistoryVersion = {
  version: number;
  at: Timestamp;
  /** key:<id>, person:<id>, team, or system. */
  actor: string;
  action: "campaign.create" | "plan.build" | "plan.add_creator" | "plan.remove_creator" | "plan.swap_creator" | "plan.move_dates" | "plan.reprice" | "campaign.budget" | "campaign.moment" | "plan.team" | "sandbox.unit_set" | "sandbox.unit_clear";
  total_cents: Cents;
  terms_fingerprint: string;
  changes: HistoryChange[];
};

export type HistoryChange = {
  /** The line after the change; of a removed line, the line before it. */
  line_id: Uuid;
  /** A line that moved and was repriced has a change for each. */
  change: "added" | "removed" | "swapped" | "moved" | "repriced";
  before: HistoryLine | null;
  after: HistoryLine | null;
};

export type HistoryLine = {
  id: Uuid;
  creator_id: Uuid | null;
  unit_id: Uuid | null;
  channel: string;
  channel_label: string;
  format: "post" | "quote" | "thread" | null;
  deliverable: string;
  scheduled_date: CalendarDate;
  /** All-in price in US cents. */
  price_cents: Cents;
};

export type SignedReceipt = {
  id: Uuid;
  kind: "signed" | "refused";
  at: Timestamp;
  /** Compact JWS whose payload is the canonical JSON of `receipt`: EdDSA with an Ed25519 key. */
  jws: string;
  receipt: Receipt;
};

export type Receipt = {
  /** The version of this form. */
  v: 1;
  id: Uuid;
  kind: "signed" | "refused";
  /** The address of the application that signed it. */
  issuer: string;
  workspace: Uuid;
  sandbox: boolean;
  request_id: string | null;
  /** The operation that was asked for, such as approve_plan. */
  operation: string;
  key_id: Uuid;
  /** The key that made key_id; null if no key did. */
  parent_key_id: Uuid | null;
  mandate_version: number;
  /** The brand terms in force; null for another write than approve. */
  brand_terms_version: string | null;
  /** The plan of an approve; null for another write. */
  plan_id: Uuid | null;
  plan_version: number | null;
  /** As it was sent to approve. */
  terms_fingerprint: string | null;
  /** The order of a signing; null for a refusal. */
  order_id: Uuid | null;
  /** The plan's total after the write; null if none was judged. */
  total_cents: Cents | null;
  currency: string;
  /** When the current prices were read, in real time also in a sandbox. */
  prices_read_at: Timestamp | null;
  lines: {
    line_id: Uuid;
    unit_id: Uuid | null;
    scheduled_date: CalendarDate;
    /** Its price in the plan in US cents. */
    price_cents: Cents;
    /** The price of its unit as just read, in US cents. */
    current_price_cents: Cents | null;
    /** Whether its unit was for sale and its date had not passed. */
    on_sale: boolean | null;
  }[];
  /** The checks in their order; those of a refusal end with the one that failed. */
  rules: {
    rule: "plan_signed" | "archived" | "no_mandate" | "mandate_expired" | "channel_not_allowed" | "approval_not_allowed" | "terms_not_accepted" | "terms_changed" | "over_budget" | "lines_blocked" | "over_max_plan_total" | "over_monthly_cap" | "payments_closed" | "rail_not_offered";
    passed: boolean;
    figures: Record<string, string | number | boolean | null | string[]>;
  }[];
  /** When it was decided; business time in a sandbox. */
  at: Timestamp;
};

// Generated from libs/contracts by `npm run generate`. Do not edit.
import type { AudienceFit, Brain, BrandOrder, CampaignDeleted, CampaignRenamed, CampaignStarted, CampaignStatus, Campaigns, Creator, Creators, DatesMoved, Events, Evidence, FeedbackReceived, GuidelinesSet, IntegrityItem, Inventory, Key, Limits, LineAdded, LineDispute, LineRemoved, LineSwapped, NetworkFacts, PaidLine, PlanApproved, PlanHistory, PlanPreflight, PlanRationale, PriceRequest, Quote, RequestLog, Results, SandboxClock, SandboxFaults, SandboxLine, SandboxOrder, SandboxPost, SandboxReset, SandboxUnit, SignedReceipt, UsageByDay } from './resources.js';

export type InventoryInput = Record<string, never>;

export type ResolveAudienceInput = {
  /** What is advertised. Used if audience is left out or names nobody; takes precedence over the audience on file. */
  product?: string | undefined;
  /** Whom to reach. Takes precedence over the campaign and the company context. */
  audience?: string | undefined;
  /** Where the audience is. Adds regions to the answer; the counts stay the same. */
  geography?: string | undefined;
  /** A campaign whose texts are used for fields you leave out. */
  intent_id?: string | undefined;
  /** Same as intent_id. */
  campaign_id?: string | undefined;
};

export type CreatorsSearchInput = {
  /** Text in the name, handle or bio. */
  q?: string | undefined;
  /** Lists creators of this audience segment. Without match, it is the audience to score against. */
  segment?: "ai-builders" | "software-developers" | "cloud-infrastructure" | "cybersecurity" | "data-analytics" | "it-decision-makers" | "startup-founders" | "investors" | "product-design" | "marketing" | "sales" | "hr-recruiting" | "small-business" | "finance-professionals" | "fintech" | "crypto" | "personal-investing" | "gaming" | "creators-media" | "consumer-tech" | "science" | "health-fitness" | "outdoors" | "parents" | "food" | "fashion-beauty" | "travel" | "sports" | "automotive" | "home-diy" | "education" | "sustainability" | "music-film" | "policy-news" | undefined;
  /** Size by number of followers, from nano (smallest) to mega (largest). */
  reach_band?: "nano" | "micro" | "mid" | "macro" | "mega" | undefined;
  /** The campaign goal. Affects the format advice. */
  goal?: "launch" | "funding" | "feature" | "program" | undefined;
  /** 1 to 10 of the ids that segment accepts, comma separated: the audience to score against. Sorts by match_score. */
  match?: string | undefined;
  /** Page size. Default: 24. */
  limit?: number | undefined;
  /** Start of the page. The next page starts at offset plus limit. */
  offset?: number | undefined;
  /** If true, lists only creators who reach the audience in force. */
  fit?: boolean | undefined;
  /** One country, by a name in use or its ISO 3166 code: Germany, Deutschland or DE. */
  country?: string | undefined;
  /** The exact English name, in any case. */
  language?: string | undefined;
  /** Minimum number of followers. */
  followers_min?: number | undefined;
  /** Maximum number of followers. */
  followers_max?: number | undefined;
  /** Minimum engagement rate over 30 days, in percent. */
  er_min?: number | undefined;
  /** Minimum match score. Requires match. */
  match_min?: number | undefined;
  /** Lists only creators who sell this format. Price filters then apply to it. */
  format?: "post" | "quote" | "thread" | undefined;
  /** Minimum all-in price in US dollars. */
  price_min?: number | undefined;
  /** Maximum all-in price in US dollars. */
  price_max?: number | undefined;
  /** If true, lists only creators with a post on sale now; if false, only those without one. */
  on_sale?: boolean | undefined;
  /** Default: match. */
  sort?: "match" | "followers" | "engagement" | "views" | "price" | undefined;
  /** Default: desc. */
  dir?: "desc" | "asc" | undefined;
  /** Campaign budget in US dollars. Sets the default of limit, as shortlist explains; it does not filter. */
  budget?: number | undefined;
};

export type CreatorGetInput = {
  /** A creator id, from creators_search or a quote line. */
  id: string;
  /** Audience segment ids, comma separated, as in the list. Scores the creator against them. */
  match?: string | undefined;
  /** A campaign of yours. Scores the creator against its plan's audience. */
  campaign_id?: string | undefined;
};

export type CreatorAskPriceInput = {
  /** The id of a creator with ask_price true. */
  id: string;
  /** The campaign that the price is for. */
  campaign_id?: string | undefined;
};

export type CampaignsListInput = {
  /** If true, includes archived campaigns. */
  include_archived?: boolean | undefined;
};

export type CreateCampaignInput = {
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

export type CampaignStatusInput = {
  /** A campaign id, from create_campaign or campaigns_list. */
  id: string;
};

export type RenameCampaignInput = {
  /** A campaign id, from create_campaign or campaigns_list. */
  id: string;
  /** The new name. */
  name?: string | undefined;
  /** What goes live, and when. A new launch day moves the posts. May change until the plan is signed. */
  moment?: string | undefined;
  /** Your own post on X that creators quote; null removes it. May change until the last post that quotes it is live. */
  launch_post_url?: string | null | undefined;
  /**
   * Who replaces a creator who declines. auto: the search, at once. ask: you, within a day; then the search. May change
   * at any time; an open choice keeps its day.
   */
  replacements?: "auto" | "ask" | undefined;
};

export type SetCreatorGuidelinesInput = {
  /** A campaign id, from create_campaign or campaigns_list. */
  id: string;
  pitch?: string | undefined;
  key_messages?: string[] | undefined;
  references?: string[] | undefined;
  voice?: string | undefined;
  dos?: string[] | undefined;
  donts?: string[] | undefined;
};

export type PlanQuoteInput = {
  /** A plan_id, from create_campaign or a quote. */
  id: string;
};

export type PlanAddCreatorInput = {
  /** A plan_id, or the word current: then a plan is started if none awaits approval. */
  id: "current" | string;
  /** The unit_id of a buyable format, from the offerings of a creator. */
  unit_id: string;
  /** The day of the post: today or later, within the launch window. Default: a day is chosen. */
  scheduled_date?: string | undefined;
};

export type PlanRemoveCreatorInput = {
  /** A plan_id. */
  id: string;
  /** The id of a line of its quote. */
  line_id: string;
};

export type PlanSwapCreatorInput = {
  /** A plan_id. */
  id: string;
  /** The id of a line of its quote. */
  line_id: string;
  /** The unit_id of a buyable format, from the offerings of a creator. */
  unit_id: string;
};

export type PlanMoveDatesInput = {
  /** A plan_id, from create_campaign or a quote. */
  id: string;
  /** First day of the launch window: today or later. */
  start: string;
  /** Last day of the launch window: on or after start, at most one year later. */
  end: string;
};

export type ApprovePlanInput = {
  /** A plan_id. */
  id: string;
  /** The terms_fingerprint of the plan_quote you read, unchanged. */
  terms_fingerprint: string;
  /** The total that you decided on, in US cents. If it is not the total of the plan, nothing is signed. */
  expected_total_cents?: number | undefined;
  /** How the brand pays. Default: the quote's agent_payment. */
  rail?: "checkout" | "invoice" | undefined;
};

export type EvidenceListInput = {
  /** Only posts of this campaign. Default: the 500 newest posts. */
  campaign_id?: string | undefined;
};

export type ResultsListInput = {
  /** Only posts of this campaign. Default: the 500 newest posts. */
  campaign_id?: string | undefined;
};

export type BrainGetInput = {
  /** Returns only this section. */
  section?: "name" | "summary" | "audience" | undefined;
};

export type FeedbackSendInput = {
  /** What the team should know. */
  message: string;
  /** What it is. */
  kind?: "bug" | "idea" | "question" | "praise" | undefined;
  /** The campaign that the feedback is about. */
  campaign_id?: string | undefined;
  /** The x-request-id of the call that the feedback is about. */
  request_id?: string | undefined;
};

export type PlanRationaleInput = {
  /** A plan_id, from create_campaign or a quote. */
  id: string;
};

export type KeyDelegateInput = {
  /** The name that people see. */
  name: string;
  /** A subset of the scopes of the calling key. */
  scopes: ("inventory:read" | "audience:read" | "campaigns:read" | "evidence:read" | "results:read" | "brain:read" | "creators:read" | "campaigns:write" | "plans:approve")[];
  /** Within the mandate of the calling key. Default: none, so it only reads. */
  mandate?: {
    max_plan_cents: number;
    monthly_cap_cents: number;
    channels: ("x_creators" | "reddit" | "clipping" | "linkedin" | "ugc" | "newsletter" | "podcast" | "other")[];
    may_approve: boolean;
    expires_at: string;
  } | undefined;
  /** Not after the end of the calling key; at most 366 days ahead if that has none. */
  expires_at: string;
};

export type PlanPreflightInput = {
  /** A plan_id, from create_campaign or a quote. */
  id: string;
};

export type OrderGetInput = {
  /** The order id. */
  id: string;
};

export type LineReplaceInput = {
  /** The line, by its id in campaign_status. */
  id: string;
  /** The unit_id of a buyable format, from the offerings of a creator. */
  unit_id: string;
};

export type EventsListInput = {
  /** The next of the previous answer, or latest for what comes from now on. Default: the oldest event kept. */
  cursor?: string | undefined;
  /** Events of a page. Default: 50. */
  limit?: number | undefined;
  /** Only events of these kinds, comma separated. Default: all that the key may see. */
  kind?: string | undefined;
  /** Seconds to wait for an event when there is none yet. Default: 0. */
  wait?: number | undefined;
};

export type LimitsGetInput = Record<string, never>;

export type KeyReportInput = {
  /** The key as it was found. */
  key: string;
};

export type KeysUsageInput = {
  /** The number of days, today included. */
  days?: 7 | 30 | 90 | undefined;
  /** The id of one key, a UUID. Default: all keys, revoked ones included. */
  key_id?: string | undefined;
  /** Rows of the request log. Default: 50. */
  limit?: number | undefined;
  /** The `next` of the previous page. */
  cursor?: string | undefined;
};

export type NetworkFactsInput = Record<string, never>;

export type SandboxClockInput = Record<string, never>;

export type SandboxClockAdvanceInput = {
  /** How far, in seconds, at most 366 days. Creators have 48 hours to answer an offer. */
  seconds?: number | undefined;
  /**
   * Instead of seconds: a date-time at most 366 days ahead, next, midnight, month, or a kind that sandbox_status lists.
   */
  to?: "next" | "midnight" | "month" | "unpaid_end" | "payment_settles" | "proposal_expiry" | "proposal_undelivered" | "proposal_answer" | "proposal_booking" | "proposal_late" | "replacement_search" | "line_end" | "post" | "post_look" | "post_gone" | "post_back" | "disclosure" | "no_disclosure" | "reading" | "post_missing" | "remedy" | "claim" | string | undefined;
};

export type SandboxClockJumpInput = {
  /** A later date-time, or the next due event of a kind. */
  to: "next" | "midnight" | "month" | "unpaid_end" | "payment_settles" | "proposal_expiry" | "proposal_undelivered" | "proposal_answer" | "proposal_booking" | "proposal_late" | "replacement_search" | "line_end" | "post" | "post_look" | "post_gone" | "post_back" | "disclosure" | "no_disclosure" | "reading" | "post_missing" | "remedy" | "claim" | string;
};

export type SandboxFaultsInput = Record<string, never>;

export type SandboxFaultArmInput = {
  /** The operation whose next calls get the fault, by REST or MCP, as the documents name it. */
  operation: string;
  /** A status that the operation can answer. */
  status?: number | undefined;
  /** Default: the reason's, or else the first code of the status. */
  code?: "bad_request" | "filter_required" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "rate_limited" | "unavailable" | "internal" | "mandate_refused" | "conflict" | "unprocessable" | "idempotency_conflict" | "in_progress" | undefined;
  /** Required for conflict and mandate_refused. Default of rate_limited: request_rate. */
  reason?: string | undefined;
  /** How many calls get it. Default: 1. */
  times?: number | undefined;
  /** How long each of these calls waits first. Without a status, the operation then answers as always. */
  delay_ms?: number | undefined;
};

export type SandboxFaultsClearInput = Record<string, never>;

export type SandboxLineAnswerInput = {
  /** The line id. */
  id: string;
  /** What the creator does with its offer. */
  answer: "accept" | "decline" | "ignore" | "late";
  /** The day to book, if accepting. */
  date?: string | undefined;
  /** Why the creator declines. */
  reason?: string | undefined;
};

export type SandboxLinePostInput = {
  /** The line. */
  id: string;
  /** When the creator posts. */
  when: "now" | "on_time" | "late" | "never";
  /** When the post is marked as paid. */
  disclosure: "now" | "late" | "never";
  /** Removes the post this many days after it went live. */
  gone_after_days?: number | undefined;
  /** Whether a post that is gone comes back half a day later. */
  repost?: boolean | undefined;
  /** What the team finds an hour after the post goes live. Default: accepted. */
  verdict?: "accepted" | "rejected" | undefined;
};

export type SandboxLinePostChangeInput = {
  /** The line. */
  id: string;
  change: "edit" | "delete" | "restore" | "hide_disclosure" | "inflate";
};

export type SandboxOrderPaymentInput = {
  /** The order_id that approve_plan answered. */
  id: string;
  /** What the payment does. Default: paid; invoice_paid for an order by invoice. */
  outcome?: "paid" | "declined" | "pending" | "settled" | "failed" | "expired" | "invoice_paid" | undefined;
};

export type SandboxResetInput = {
  /** What its creators do from now on. Default: the seed it has; the first is 1. */
  seed?: number | undefined;
};

export type SandboxUnitSetInput = {
  /** The unit_id of a buyable format, from the offerings of a creator. */
  unit_id: string;
  /** The all-in price in US cents. */
  price_cents?: number | undefined;
  /** How many days old the price is. */
  age_days?: number | undefined;
  /** Whether the unit cannot be bought. */
  off_sale?: boolean | undefined;
};

export type SandboxUnitClearInput = {
  /** The unit_id of a buyable format, from the offerings of a creator. */
  unit_id: string;
};

export type DeleteCampaignInput = {
  /** A campaign id, from create_campaign or campaigns_list. */
  id: string;
};

export type LineDisputeInput = {
  /** The line, by its id in campaign_status. */
  id: string;
  /** What kind of claim it is. */
  claim: "not_as_agreed" | "gone" | "undisclosed" | "wrong_day";
  /** What is wrong. */
  text: string;
  /** Links or descriptions of what shows it. */
  evidence?: string[] | undefined;
};

export type LineDisputesInput = {
  /** The line, by its id in campaign_status. */
  id: string;
};

export type LineIntegrityInput = {
  /** The line, by its id in campaign_status. */
  id: string;
};

export type OrdersListInput = {
  /** Only orders in this state. */
  payment_state?: "unpaid" | "processing" | "paid" | "partially_refunded" | "refunded" | "cancelled" | undefined;
  /** The next of the previous answer. */
  cursor?: string | undefined;
  /** Default: 50. */
  limit?: number | undefined;
};

export type PlanHistoryInput = {
  /** A plan_id, from create_campaign or a quote. */
  id: string;
  /** Only versions before this one. An answer has at most 50 versions. */
  before?: number | undefined;
};

export type ReceiptGetInput = {
  /** The receipt_id of an order, or of a mandate_refused error. */
  id: string;
};

/** Of each operation its input and answer, the codes of its errors, and the reasons of its conflicts. */
export interface Operations {
  inventory: {
    input: InventoryInput;
    output: Inventory;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  resolve_audience: {
    input: ResolveAudienceInput;
    output: AudienceFit;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  creators_search: {
    input: CreatorsSearchInput;
    output: Creators;
    codes: 'bad_request' | 'filter_required' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  creator_get: {
    input: CreatorGetInput;
    output: Creator;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  creator_ask_price: {
    input: CreatorAskPriceInput;
    output: PriceRequest;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'already_priced';
  };
  campaigns_list: {
    input: CampaignsListInput;
    output: Campaigns;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  create_campaign: {
    input: CreateCampaignInput;
    output: CampaignStarted;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'sandbox_full';
  };
  campaign_status: {
    input: CampaignStatusInput;
    output: CampaignStatus;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  rename_campaign: {
    input: RenameCampaignInput;
    output: CampaignRenamed;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'plan_signed' | 'archived' | 'category_banned' | 'category_review';
  };
  set_creator_guidelines: {
    input: SetCreatorGuidelinesInput;
    output: GuidelinesSet;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'archived' | 'category_banned' | 'category_review';
  };
  plan_quote: {
    input: PlanQuoteInput;
    output: Quote;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  plan_add_creator: {
    input: PlanAddCreatorInput;
    output: LineAdded;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'sandbox_full' | 'plan_signed' | 'archived' | 'already_in_plan' | 'plan_full' | 'bad_dates' | 'over_budget' | 'category_banned' | 'category_review';
  };
  plan_remove_creator: {
    input: PlanRemoveCreatorInput;
    output: LineRemoved;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'plan_signed' | 'archived' | 'last_creator';
  };
  plan_swap_creator: {
    input: PlanSwapCreatorInput;
    output: LineSwapped;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'plan_signed' | 'archived' | 'already_in_plan' | 'over_budget';
  };
  plan_move_dates: {
    input: PlanMoveDatesInput;
    output: DatesMoved;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'plan_signed' | 'archived' | 'bad_dates' | 'same_day';
  };
  approve_plan: {
    input: ApprovePlanInput;
    output: PlanApproved;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'plan_signed' | 'archived' | 'terms_changed' | 'over_budget' | 'lines_blocked';
  };
  evidence_list: {
    input: EvidenceListInput;
    output: Evidence;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  results_list: {
    input: ResultsListInput;
    output: Results;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  brain_get: {
    input: BrainGetInput;
    output: Brain;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  feedback_send: {
    input: FeedbackSendInput;
    output: FeedbackReceived;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  plan_rationale: {
    input: PlanRationaleInput;
    output: PlanRationale;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  key_delegate: {
    input: KeyDelegateInput;
    output: {
      key: Key;
      secret: string;
    };
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'too_many_keys' | 'secret_gone';
  };
  plan_preflight: {
    input: PlanPreflightInput;
    output: PlanPreflight;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  order_get: {
    input: OrderGetInput;
    output: BrandOrder;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  line_replace: {
    input: LineReplaceInput;
    output: PaidLine;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'bad_state' | 'already_in_plan';
  };
  events_list: {
    input: EventsListInput;
    output: Events;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  limits_get: {
    input: LimitsGetInput;
    output: Limits;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  key_report: {
    input: KeyReportInput;
    output: {
      status: "received";
    };
    codes: 'bad_request' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  keys_usage: {
    input: KeysUsageInput;
    output: UsageByDay | RequestLog;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  network_facts: {
    input: NetworkFactsInput;
    output: NetworkFacts;
    codes: 'bad_request' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  sandbox_clock: {
    input: SandboxClockInput;
    output: SandboxClock;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  sandbox_clock_advance: {
    input: SandboxClockAdvanceInput;
    output: SandboxClock;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'nothing_due';
  };
  sandbox_clock_jump: {
    input: SandboxClockJumpInput;
    output: SandboxClock;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'nothing_due';
  };
  sandbox_faults: {
    input: SandboxFaultsInput;
    output: SandboxFaults;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  sandbox_fault_arm: {
    input: SandboxFaultArmInput;
    output: SandboxFaults;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'too_many_faults';
  };
  sandbox_faults_clear: {
    input: SandboxFaultsClearInput;
    output: SandboxFaults;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'idempotency_conflict' | 'in_progress' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  sandbox_line_answer: {
    input: SandboxLineAnswerInput;
    output: SandboxLine;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'no_open_proposal' | 'bad_dates';
  };
  sandbox_line_post: {
    input: SandboxLinePostInput;
    output: SandboxPost;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'bad_state';
  };
  sandbox_line_post_change: {
    input: SandboxLinePostChangeInput;
    output: {
      items: IntegrityItem[];
      unbroken: boolean;
    };
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'bad_state';
  };
  sandbox_order_payment: {
    input: SandboxOrderPaymentInput;
    output: SandboxOrder;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'bad_state';
  };
  sandbox_reset: {
    input: SandboxResetInput;
    output: SandboxReset;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  sandbox_unit_set: {
    input: SandboxUnitSetInput;
    output: SandboxUnit;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  sandbox_unit_clear: {
    input: SandboxUnitClearInput;
    output: SandboxUnit;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'idempotency_conflict' | 'in_progress' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  delete_campaign: {
    input: DeleteCampaignInput;
    output: CampaignDeleted;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'has_plan' | 'not_draft';
  };
  line_dispute: {
    input: LineDisputeInput;
    output: LineDispute;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'mandate_refused' | 'not_found' | 'conflict' | 'idempotency_conflict' | 'in_progress' | 'unprocessable' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: 'bad_state';
  };
  line_disputes: {
    input: LineDisputesInput;
    output: {
      items: LineDispute[];
    };
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  line_integrity: {
    input: LineIntegrityInput;
    output: {
      items: IntegrityItem[];
      unbroken: boolean;
    };
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  orders_list: {
    input: OrdersListInput;
    output: {
      orders: BrandOrder[];
      next: string | null;
    };
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  plan_history: {
    input: PlanHistoryInput;
    output: PlanHistory;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
  receipt_get: {
    input: ReceiptGetInput;
    output: SignedReceipt;
    codes: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable';
    conflicts: never;
  };
}

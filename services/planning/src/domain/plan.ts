import type {
  AudienceWeights,
  BriefInput,
  Category,
  CreatorGuidelines,
  Format,
  Goal,
  LeftOutLimit,
  LeftOutReason,
  NoPlanReason,
  PaymentState,
  PlanStatus,
  Replacements,
  UnitFacts,
} from '@cds/contracts';

/** As catalog answered when the line was made (docs/domain/plans.md#where-fields-come-from). */
export type LineCreator = {
  name: string | null;
  avatar_url: string | null;
  followers: number | null;
  reach_band: string;
};

/** `written_by` says whose words slot and reason are: the builder's, the key's or the team's. */
export type Line = {
  id: string;
  channel: string;
  slot: string;
  scheduled_date: string;
  price_cents: number;
  creator_id: string | null;
  unit_id: string | null;
  format: Format | null;
  deliverable: string;
  creator: LineCreator | null;
  vetting: string | null;
  reason: string | null;
  /** Absent in older lines. */
  match_score?: number | null;
  written_by: 'builder' | 'key' | 'team';
  expected_views: number | null;
  views_low: number | null;
  views_high: number | null;
  engagement_rate: number | null;
};

/** The order on its plan: set at signing, updated by billing's events; `version` is the order's own. */
export type PlanOrder = {
  order_id: string;
  version: number;
  total_cents: number;
  currency: string;
  signed_at: Date;
  payment_state: PaymentState;
  paid_at: Date | null;
  refunded_at: Date | null;
  cancelled_at: Date | null;
};

/** `value` is f in qualified views, `marginal_value` what f loses without the line; edits do not change it. */
export type PlanReasons = {
  version: number;
  built_at: Date;
  value: number;
  lines: {
    line_id: string;
    creator_id: string;
    format: Format;
    marginal_value: number;
    expected_views: number;
    views_low: number;
    views_high: number;
  }[];
  left_out: {
    creator_id: string;
    unit_id: string;
    format: Format;
    value: number;
    reason: LeftOutReason;
    limit: LeftOutLimit;
  }[];
};

/** For the plan's notes; edits do not change it. `left` is null if every candidate is on the plan. */
export type BuiltUnder = {
  /** The limit of the key, in US cents, where it is below the budget. */
  mandate_cents: number | null;
  geography: 'everywhere' | 'shown' | 'not_shown' | 'not_understood';
  left: LeftOutLimit | null;
};

/** A plan as it is stored; `moment_offset` is M in days from the start of the window (docs/domain/plans.md#dates). */
export type Plan = {
  _id: string;
  ws: string;
  campaign_id: string;
  version: number;
  status: PlanStatus;
  terms_fingerprint: string;
  currency: 'USD';
  launch_window_start: string;
  launch_window_end: string;
  moment_offset: number;
  lines: Line[];
  written_by: 'builder' | 'key' | 'team';
  sent_at: Date;
  approved_at: Date | null;
  order: PlanOrder | null;
  /** How far the choice may be below the best plan, 0 to 1; null if nothing was chosen. */
  gap: number | null;
  /** Absent where the builder did not choose the plan. */
  reasons?: PlanReasons;
  /** Absent where the builder did not choose the plan, and in older plans. */
  built_under?: BuiltUnder;
};

/** A projection leaves out nulls. */
export type StagedPlan = Pick<Plan, '_id' | 'campaign_id' | 'status'> & {
  order?: Pick<PlanOrder, 'payment_state' | 'refunded_at'> | null;
};

export type Brief = BriefInput;

/** What a person asked the team to change; it is open while `open_change` says so. */
export type ChangeRequest = { message: string; asked_at: Date; asked_by: string };

/** `retry_at` by the network's time; null while no morning is waited for. */
export type PlanBuild = { max_plan_cents: number; sandbox: boolean; retry_at: Date | null };

/** Null and empty where the brand asks nothing (docs/domain/plans.md#candidates). */
export type Selection = {
  max_creators: number | null;
  formats: Format[] | null;
  max_price_cents: number | null;
  exclude_creator_ids: string[];
};

/** `rev` serialises it with the edits and the signing of its plan (docs/reliability.md#plan-edits). */
export type Campaign = {
  _id: string;
  ws: string;
  number: number;
  rev: number;
  goal: Goal | null;
  product: string | null;
  moment: string | null;
  window_start: string;
  window_end: string;
  budget_cents: number | null;
  audience: string | null;
  geography: string;
  company: string | null;
  /** The context's summary of a company whose name came from there; screened with it. Absent in older campaigns. */
  company_summary?: string | null;
  desired_outcome: string | null;
  category: Category | null;
  /** Absent in older campaigns, which ask nothing. */
  selection?: Selection;
  /** Absent in older campaigns: the search at once. */
  replacements?: Replacements;
  /** Absent in older campaigns. */
  launch_post_url?: string | null;
  name: string;
  renamed_to: string | null;
  segments: AudienceWeights;
  unresolved: boolean;
  taxonomy_version: number;
  guidelines: CreatorGuidelines;
  intent_status: 'draft' | 'ready' | null;
  open_change: boolean;
  sent_to_team_at: Date | null;
  archived_at: Date | null;
  created_at: Date;
  plan_id: string | null;
  no_plan: NoPlanReason | null;
  build: PlanBuild | null;
  brief: Brief | null;
  change_request: ChangeRequest | null;
  /** Absent in older campaigns. */
  change_answer?: { text: string; answered_at: Date } | null;
};

export type PlanWithCampaign = { plan: Plan; campaign: Campaign };

export type UnitMap = ReadonlyMap<string, UnitFacts>;

export const NO_GUIDELINES: CreatorGuidelines = {
  pitch: '',
  key_messages: [],
  references: [],
  voice: '',
  dos: [],
  donts: [],
};

export const totalOf = (lines: readonly { price_cents: number }[]): number =>
  lines.reduce((sum, line) => sum + line.price_cents, 0);

export const unitsOf = (lines: readonly Line[]): string[] => [
  ...new Set(lines.flatMap((line) => (line.unit_id === null ? [] : [line.unit_id]))),
];

/** The fixed lists of campaigns and plans (docs/specification.md#resources, docs/specification.md#campaign-stage). */
export const PLAN_STATUSES = ['awaiting_approval', 'approved'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** Campaign stages with their labels; Archived is a label only, never a stage_id. */
export const CAMPAIGN_STAGES = {
  draft: 'Draft',
  sent: 'Sent',
  plan_ready: 'Plan ready',
  approved: 'Approved',
  paid: 'Paid',
  running: 'Running',
  complete: 'Complete',
  cancelled: 'Cancelled',
} as const;
export type CampaignStage = keyof typeof CAMPAIGN_STAGES;
export const CAMPAIGN_STAGE_IDS = Object.keys(CAMPAIGN_STAGES) as [CampaignStage, ...CampaignStage[]];
export const ARCHIVED_LABEL = 'Archived';
export const CAMPAIGN_STAGE_LABELS = [...Object.values(CAMPAIGN_STAGES), ARCHIVED_LABEL] as const;

export const LINE_STATUSES = ['planned', 'booked', 'live', 'completed', 'blocked', 'cancelled'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

export const LINE_STAGES = {
  planned: 'Planned',
  offered: 'Offered',
  creator_confirmed: 'Creator confirmed',
  scheduled: 'Scheduled',
  live: 'Live',
  proof_attached: 'Proof attached',
  cancelled: 'Cancelled',
} as const;
export type LineStage = keyof typeof LINE_STAGES;
export const LINE_STAGE_IDS = Object.keys(LINE_STAGES) as [LineStage, ...LineStage[]];
export const LINE_STAGE_LABELS = Object.values(LINE_STAGES);

/** The channels of plan lines and mandates, with their labels (docs/domain/plans.md#where-fields-come-from). */
export const PLAN_CHANNELS = {
  x_creators: 'X creators',
  reddit: 'Reddit',
  clipping: 'Clipping',
  linkedin: 'LinkedIn',
  ugc: 'UGC',
  newsletter: 'Newsletter',
  podcast: 'Podcast',
  other: 'Other',
} as const;

export const NO_PLAN_REASONS = [
  'no_candidates',
  'budget_too_small',
  'category_banned',
  'category_review',
  'building',
] as const;
export type NoPlanReason = (typeof NO_PLAN_REASONS)[number];

/** Why a creator is not on a plan: it adds less value, it costs too much for its value, or a limit excludes it. */
export const LEFT_OUT_REASONS = ['value', 'price', 'limit'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** The limit that excluded a creator. `reach_band` is a band's share. */
export const LEFT_OUT_LIMITS = ['budget', 'line_price', 'lines', 'creators', 'reach_band', 'spend_rule'] as const;
export type LeftOutLimit = (typeof LEFT_OUT_LIMITS)[number];

export const BRAIN_SECTIONS = ['name', 'summary', 'audience'] as const;
export type BrainSection = (typeof BRAIN_SECTIONS)[number];

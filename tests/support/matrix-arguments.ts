import type { Quote } from '@cds/contracts';

export type World = {
  workspace: string;
  today: string;
  campaignId: string;
  draftId: string;
  planId: string;
  lineIds: readonly string[];
  orderId: string;
  anOrder: () => Promise<string>;
  receiptId: string;
  aReceipt: () => Promise<string>;
  creatorId: string;
  /** A listed creator with nothing on sale. */
  unpricedId: string;
  /** Cheap units of creators that are not on the plan. */
  unitIds: readonly string[];
  quote: () => Promise<Quote>;
};

/** One operation's arguments, and which of them name an object of the workspace. */
export type Row = {
  input: (world: World) => Record<string, unknown> | Promise<Record<string, unknown>>;
  own?: Readonly<Record<string, (world: World) => string>>;
};

const DAY_MS = 86_400_000;
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

const at = (items: readonly string[], index: number): string => items[index] ?? '';

const campaign = { campaign_id: (world: World) => world.campaignId };
const plan = { id: (world: World) => world.planId };
const line = { line_id: (world: World) => at(world.lineIds, 0) };

/** The campaign that every world starts, and that the matrix starts again. */
export const aCampaign = (today: string): Record<string, unknown> => ({
  goal: 'launch',
  product: 'Orbit, an AI pair for founders',
  moment: 'Orbit goes live on the first day of the window',
  window_start: dayAfter(today, 3),
  window_end: dayAfter(today, 24),
  budget_usd: 6000,
});

/** A campaign that stays a draft: no creator is this cheap. */
export const aDraft = (today: string): Record<string, unknown> => ({ ...aCampaign(today), budget_usd: 0.01 });

/** The arguments of every public operation. A new operation adds its row here, and the whole matrix runs on it. */
export const ARGUMENTS: Readonly<Record<string, Row>> = {
  inventory: { input: () => ({}) },
  resolve_audience: {
    input: (world) => ({ audience: 'startup founders', campaign_id: world.campaignId }),
    own: campaign,
  },
  creators_search: { input: () => ({ limit: 5, format: 'post' }) },
  creator_get: { input: (world) => ({ id: world.creatorId }) },
  campaigns_list: { input: () => ({}) },
  campaign_status: { input: (world) => ({ id: world.campaignId }), own: { id: (world) => world.campaignId } },
  events_list: { input: () => ({ limit: 5 }) },
  events_stream: { input: () => ({ seconds: 1 }) },
  plan_quote: { input: (world) => ({ id: world.planId }), own: plan },
  plan_preflight: { input: (world) => ({ id: world.planId }), own: plan },
  plan_rationale: { input: (world) => ({ id: world.planId }), own: plan },
  plan_history: { input: (world) => ({ id: world.planId }), own: plan },
  orders_list: { input: () => ({}) },
  order_get: { input: async (world) => ({ id: await world.anOrder() }), own: { id: (world) => world.orderId } },
  receipt_get: { input: async (world) => ({ id: await world.aReceipt() }), own: { id: (world) => world.receiptId } },
  evidence_list: { input: (world) => ({ campaign_id: world.campaignId }), own: campaign },
  results_list: { input: (world) => ({ campaign_id: world.campaignId }), own: campaign },
  brain_get: { input: () => ({}) },
  network_facts: { input: () => ({}) },
  keys_usage: { input: () => ({ days: 7 }) },
  limits_get: { input: () => ({}) },
  key_report: { input: () => ({ key: 'not a key' }) },
  sandbox_clock: { input: () => ({}) },
  sandbox_faults: { input: () => ({}) },

  creator_ask_price: {
    input: (world) => ({ id: world.unpricedId, campaign_id: world.campaignId }),
    own: campaign,
  },
  key_delegate: {
    input: () => ({
      name: 'helper',
      scopes: ['campaigns:read'],
      expires_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    }),
  },
  feedback_send: {
    input: (world) => ({ message: 'The quote reads well.', kind: 'praise', campaign_id: world.campaignId }),
    own: campaign,
  },
  create_campaign: { input: (world) => aCampaign(world.today) },
  rename_campaign: {
    input: (world) => ({ id: world.campaignId, name: 'Orbit in spring' }),
    own: { id: (world) => world.campaignId },
  },
  set_creator_guidelines: {
    input: (world) => ({ id: world.campaignId, pitch: 'Try Orbit.', dos: ['Show it running'] }),
    own: { id: (world) => world.campaignId },
  },
  delete_campaign: { input: (world) => ({ id: world.draftId }), own: { id: (world) => world.draftId } },
  plan_add_creator: { input: (world) => ({ id: world.planId, unit_id: at(world.unitIds, 0) }), own: plan },
  plan_move_dates: {
    input: (world) => ({ id: world.planId, start: dayAfter(world.today, 4), end: dayAfter(world.today, 25) }),
    own: plan,
  },
  plan_swap_creator: {
    input: (world) => ({ id: world.planId, line_id: at(world.lineIds, 0), unit_id: at(world.unitIds, 1) }),
    own: { ...plan, ...line },
  },
  plan_remove_creator: {
    input: (world) => ({ id: world.planId, line_id: at(world.lineIds, 1) }),
    own: { ...plan, ...line },
  },
  sandbox_unit_set: { input: (world) => ({ unit_id: at(world.unitIds, 2), age_days: 3 }) },
  sandbox_unit_clear: { input: (world) => ({ unit_id: at(world.unitIds, 2) }) },
  approve_plan: {
    input: async (world) => ({
      id: world.planId,
      terms_fingerprint: (await world.quote()).terms_fingerprint,
    }),
    own: plan,
  },
  sandbox_order_payment: {
    input: (world) => ({ id: world.orderId, outcome: 'paid' }),
    own: { id: (world) => world.orderId },
  },
  sandbox_line_answer: {
    input: (world) => ({ id: at(world.lineIds, 0), answer: 'accept' }),
    own: { id: (world) => at(world.lineIds, 0) },
  },
  sandbox_line_post: {
    input: (world) => ({ id: at(world.lineIds, 0), when: 'now', disclosure: 'now' }),
    own: { id: (world) => at(world.lineIds, 0) },
  },
  line_integrity: { input: (world) => ({ id: at(world.lineIds, 0) }), own: { id: (world) => at(world.lineIds, 0) } },
  line_disputes: { input: (world) => ({ id: at(world.lineIds, 0) }), own: { id: (world) => at(world.lineIds, 0) } },
  line_dispute: {
    input: (world) => ({ id: at(world.lineIds, 0), claim: 'wrong_day', text: 'It came a day late.' }),
    own: { id: (world) => at(world.lineIds, 0) },
  },
  sandbox_line_post_change: {
    input: (world) => ({ id: at(world.lineIds, 0), change: 'edit' }),
    own: { id: (world) => at(world.lineIds, 0) },
  },
  line_replace: {
    input: (world) => ({ id: at(world.lineIds, 0), unit_id: at(world.unitIds, 3) }),
    own: { id: (world) => at(world.lineIds, 0) },
  },
  sandbox_fault_arm: { input: () => ({ operation: 'campaigns_list', delay_ms: 1 }) },
  sandbox_faults_clear: { input: () => ({}) },
  sandbox_reset: { input: () => ({ seed: 7 }) },
  sandbox_clock_advance: { input: () => ({ seconds: 3600 }) },
  sandbox_clock_jump: { input: () => ({ to: 'midnight' }) },
};

/** The writes in an order in which each succeeds on one plan: edited, signed, paid, answered, posted. */
export const WRITES_IN_ORDER = [
  'key_report',
  'creator_ask_price',
  'feedback_send',
  'key_delegate',
  'create_campaign',
  'rename_campaign',
  'set_creator_guidelines',
  'delete_campaign',
  'plan_remove_creator',
  'plan_swap_creator',
  'plan_add_creator',
  'plan_move_dates',
  'sandbox_unit_set',
  'sandbox_unit_clear',
  'approve_plan',
  'sandbox_order_payment',
  'sandbox_line_answer',
  'sandbox_line_post',
  'sandbox_line_post_change',
  'line_dispute',
  'line_replace',
  'sandbox_fault_arm',
  'sandbox_faults_clear',
  'sandbox_clock_advance',
  'sandbox_clock_jump',
  'sandbox_reset',
] as const;

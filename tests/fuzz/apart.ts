/**
 * Where each request is sent, so that no operation removes what others need. Operations of creators and operators go to
 * the spent brand, operators' with creators of their own; everything else goes to the steady brands.
 */

/** `own`: a session made for this request alone. */
export type Place = 'moved' | 'spent' | 'own' | 'last';

type Apart = { place: Place; why: string };

const moved = (why: string): Apart => ({ place: 'moved', why });
const spent = (why: string): Apart => ({ place: 'spent', why });
const own = (why: string): Apart => ({ place: 'own', why });
const last = (why: string): Apart => ({ place: 'last', why });

export const APART: Readonly<Record<string, Apart>> = {
  sandbox_clock_advance: moved('ends the launch windows of every plan of the sandbox'),
  sandbox_clock_jump: moved('ends the launch windows of every plan of the sandbox'),
  sandbox_fault_arm: moved('answers the next calls in place of the services'),
  sandbox_faults_clear: moved('belongs to the faults'),
  sandbox_reset: moved('removes every campaign of the sandbox'),
  delete_campaign: moved('removes the campaign'),
  campaign_archive: moved('an archived campaign refuses every edit'),
  campaign_unarchive: moved('belongs to the archive'),

  approve_plan: spent('a signed plan refuses every edit'),
  campaign_send: moved('hands a draft to the team'),
  order_cancel: spent('ends the order'),
  sandbox_order_payment: spent('pays the order'),
  key_revoke: spent('ends a key; only keys that nobody sends are named'),
  key_report: spent('ends a key; only keys that nobody sends are named'),
  member_change: spent('takes rights from a person; only invited people are named'),
  member_remove: spent('ends the sessions of a person; only invited people are named'),
  member_remove_all: spent('ends the sessions of a person; only invited people are named'),
  webhook_remove: spent('removes an endpoint'),
  client_end: spent('ends a sign-in'),
  session_start: spent('uses a link up'),

  session_end: own('ends the session'),
  session_workspace_set: own('takes the session elsewhere'),
  ops_session_end: own('ends the session'),

  ops_switches_put: last('closes writes or payments, or hides tools, for everybody'),
  sessions_end: last('ends every session of a person'),
  ops_terms_publish: last('no key signs until a person accepts the new terms'),
  dev_network_load: last('changes the creators that everybody sees; it loads few'),
};

export const placeOf = (operation: string): Place | 'steady' => APART[operation]?.place ?? 'steady';

/**
 * How often operations are drawn. Writes are drawn less often than reads, because some of them reach every service, and
 * those that are named less often still: most take many times the processor of others. Each is sent once in every run
 * besides, so that none is left out.
 */
const USUAL = { read: 40, write: 16 } as const;

export const WEIGHTS: Readonly<Record<string, number>> = {
  sandbox_clock_jump: 1,
  sandbox_clock_advance: 1,
  sandbox_reset: 1,
  ops_republish: 1,
  dev_brand_make: 1,
  creator_apply: 2,
  sandbox_make: 2,
  create_campaign: 3,
  campaign_draft: 6,
  plan_move_dates: 6,
  plan_add_creator: 6,
  plan_remove_creator: 6,
  plan_swap_creator: 6,
  approve_plan: 6,
  member_invite: 8,
  key_make: 8,
  sign_up: 8,
  ops_prices_list: 10,
  ops_audit_export: 10,
  audit_export: 10,
  plan_preflight: 20,
};

export const weightOf = ({ name, effect }: { name: string; effect: 'read' | 'write' }): number =>
  WEIGHTS[name] ?? USUAL[effect];

import { heading } from '../heading.js';

/** Campaigns, their plans and lines as status shows them, and where they stand. */
export const CAMPAIGNS = [
  heading('"CampaignSummary"', {
    'campaigns.display-name': 'display_name is the product, else the company, shortened, else a placeholder.',
    'campaigns.waits-on-you': 'waits_on_you says that the brand must approve or pay; a draft never counts.',
    'campaigns.stored-name': 'A campaign is stored under company, goal, month until it is renamed.',
    'campaigns.summary-fields': 'A summary carries stage, plan_status, open_change, intent_status and its dates.',
  }),
  heading('"GET /campaigns"', {
    'campaigns.list': 'GET /campaigns lists the campaigns of the workspace.',
    'campaigns.list-unknown-400': 'Any other parameter, limit and offset included, is 400 with details.problems.',
    'campaigns.list-boolean-400': 'A non-boolean include_archived is 400 with details.problems.',
  }),
  heading('"CampaignStatus"', {
    'status.fields': 'A status carries every required field; plan and order are null or whole.',
    'status.plan-facts': 'The plan shows version, status, window, currency, total and its instants.',
    'status.line-facts': 'A line shows channel, slot, date, price, status and stage.',
    'status.lines-by-status': 'lines_by_status counts the lines by status.',
    'status.lines-by-stage': 'lines_by_stage has all seven integer keys and sums to the lines.',
    'status.order': 'order is null, or payment_state, total, currency, signed_at and paid_at.',
    'proposals.after-payment': 'A line’s proposal is null until the order is paid.',
    'proposals.shows-handle': 'A proposal names the creator’s handle, and the one it replaced.',
    'status.foreign-404': 'A campaign that is not the caller’s is not found.',
    'status.guidelines-six': 'creator_guidelines always has its six fields.',
  }),
  heading('"CampaignInput"', {
    'create.required-fields': 'goal, product, moment, window_start, window_end and budget_usd are required.',
    'create.bounds': 'Texts, dates and budget keep to their bounds.',
    'create.audience-from-context': 'Audience and company come from the company context when left out.',
    'create.audience-needed': 'Without a context the audience must be sent.',
    'create.geography-worldwide': 'geography is worldwide when left out.',
    'create.desired-outcome': 'desired_outcome is the goal’s usual outcome when left out.',
    'create.defaults-named': 'defaults names each field that was filled in.',
    'create.budget-stated': 'The answer states the budget it stored.',
    'create.422-names-all-missing': 'A 422 names every missing required field in details.problems.',
  }),
  heading('"POST /campaigns"', {
    'create.builds-plan': 'A plan of creator posts is built for the campaign and waits for approval.',
    'create.within-budget': 'The plan built stays within the campaign’s budget.',
    'create.counts-start': 'A started campaign counts against the three of 24 hours.',
  }),
  heading('"Campaign stage"', {
    'stages.draft': 'A campaign that has no plan yet is draft.',
    'stages.sent': 'A campaign sent without a plan is sent.',
    'stages.plan-ready': 'A plan that waits for approval makes the campaign plan_ready.',
    'stages.approved': 'Signed and not paid is approved.',
    'stages.paid': 'Payment cleared and no post started is paid.',
    'stages.running': 'A post scheduled, live or delayed makes it running.',
    'stages.complete': 'Every post with its proof makes it complete.',
    'stages.cancelled': 'A cancelled or refunded order makes it cancelled, whatever the campaign was.',
    'stages.archived-label': 'Archived stands in stage alone, never in stage_id.',
    'stages.refund-sets-refunded-at': 'A refund sets refunded_at and its lines read cancelled.',
  }),
  heading('"Plan line stage"', {
    'lines.planned': 'A line without a proposal out is planned.',
    'lines.offered': 'A line whose creator has the proposal is offered.',
    'lines.creator-confirmed': 'An accepted line without a booked date is creator_confirmed.',
    'lines.scheduled': 'A booked line is scheduled, delayed or not.',
    'lines.live': 'A line whose post is up is live.',
    'lines.proof-attached': 'A line with recorded still-up proof is proof_attached.',
    'lines.cancelled': 'A line is cancelled with itself or its order.',
  }),
  heading('"Proposal state"', {
    'proposals.48-hours': 'A creator has 48 hours to answer; then the state is no_reply.',
  }),
] as const;

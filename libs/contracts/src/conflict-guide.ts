import type { ConflictReason } from './error.js';

/** What a code or a reason means, and what its caller does next: one sentence or two each, in plain text. */
export type Guidance = { meaning: string; remedy: string; details?: Readonly<Record<string, unknown>> };

/** What each reason of a 409 conflict means and what to do next (docs/guides/errors.md#reasons-of-conflict). */
export const CONFLICT_GUIDE: Readonly<Record<ConflictReason, Guidance>> = {
  over_budget: {
    meaning: "The plan would cost more than its campaign's budget; for approve, at current prices.",
    remedy: 'Choose a creator within remaining_cents, remove or swap a line, or have the budget raised.',
    details: { budget_cents: 150_000, remaining_cents: 20_000, price_cents: 31_000, over_by_cents: 11_000 },
  },
  already_in_plan: {
    meaning: 'The creator is on the plan already.',
    remedy: "Remove the creator's line first, then add the other format.",
  },
  bad_dates: {
    meaning:
      'A day is in the past or outside the launch window, or the window ends before it starts or is longer than a year.',
    remedy: 'Start today or later, end on or after the start and within a year, and keep days inside the window.',
  },
  same_day: {
    meaning: 'Two posts of one creator would fall on the same day.',
    remedy: 'Choose a window in which they fall on different days.',
  },
  plan_signed: {
    meaning: 'The plan is signed, so it cannot change or be signed again.',
    remedy: 'Read the campaign for its order, or start another campaign.',
  },
  archived: {
    meaning: 'The campaign is archived.',
    remedy: 'Have a person unarchive it in the app, or use another campaign.',
  },
  too_many_webhooks: {
    meaning: 'The workspace has ten webhook endpoints, the most it may have.',
    remedy: 'Delete one that is no longer used.',
  },
  already_priced: {
    meaning: 'The creator has a format on sale, so there is no price to ask for.',
    remedy: 'Open the creator: it shows the format and its price.',
  },
  last_creator: {
    meaning: 'The line is the last one, and a plan keeps at least one creator.',
    remedy: 'Swap the line instead.',
  },
  plan_full: {
    meaning: 'The plan has 40 lines or more, and no line is added to so many.',
    remedy: 'Swap a line, remove one first, or start another campaign.',
    details: { limit: 40 },
  },
  has_plan: {
    meaning: 'The campaign has a plan, so it cannot be deleted, and its brief cannot change.',
    remedy: 'Have a person archive it in the app, or start another campaign.',
  },
  not_draft: {
    meaning: 'The brief was sent to the team, so the campaign is no longer a draft and cannot be deleted.',
    remedy: 'Have a person archive it in the app.',
  },
  category_banned: {
    meaning: 'The product belongs to a category that is not sold; the answer names the category and the words.',
    remedy: 'Do not send it again. A person of the brand may write to the team.',
  },
  category_review: {
    meaning: 'The team reviews the category of the product first.',
    remedy: 'Wait: the plan is built once the team allows it. Poll the campaign until then.',
  },
  lines_blocked: {
    meaning: 'Lines of the plan are not on sale, or dated in the past; line_ids names them.',
    remedy: 'Remove, swap or move these lines, read the quote again and sign that.',
    details: { line_ids: ['7c6b5a4d-1e0f-4a9b-8c7d-6e5f4a3b2c1d'] },
  },
  terms_changed: {
    meaning:
      'Lines, prices or dates changed since the quote whose fingerprint was sent, or the total is not the expected one.',
    remedy: 'Read the quote again, decide, and send its terms_fingerprint with a new Idempotency-Key.',
    details: { version: 3 },
  },
  nothing_due: {
    meaning: 'Nothing of that kind is due in this sandbox.',
    remedy: 'Read the clock, then jump to something that is due, or advance by seconds.',
  },
  no_open_proposal: {
    meaning: 'The line has no open proposal that its creator could answer.',
    remedy: 'Read the line, and answer once a proposal is sent.',
  },
  bad_state: {
    meaning: 'The state of the object does not allow this step.',
    remedy: 'Read the object, then try a step that its state allows.',
  },
  order_paid: {
    meaning: 'The order is paid, so it cannot be cancelled as a whole.',
    remedy: 'Ask the team to cancel lines of it.',
  },
  order_processing: {
    meaning: 'A payment of the order is on its way.',
    remedy: 'Wait until it has failed or arrived, or ask the team to stop it.',
  },
  terms_superseded: {
    meaning: 'A newer version of the brand terms is in force.',
    remedy: 'Read and accept current_version.',
    details: { current_version: '2026-11-01' },
  },
  approval_not_allowed: {
    meaning: 'Terms are accepted for keys that may sign, and this one may not.',
    remedy: "Set may_approve in the key's mandate first.",
  },
  version_exists: {
    meaning: 'The brand terms have this version or number already.',
    remedy: 'Publish under another date id, with the next number.',
  },
  too_many_keys: {
    meaning: 'The workspace has 50 active keys, the most it may have.',
    remedy: 'Revoke one that is no longer used.',
    details: { limit: 50 },
  },
  too_many_sandboxes: {
    meaning: 'The brand has ten sandboxes, the most it may have.',
    remedy: 'Use or reset one of them.',
  },
  sandbox_full: {
    meaning: 'The sandbox was given 40 campaigns since its last reset, the most it takes. Deleted ones count too.',
    remedy: 'Reset the sandbox, which removes them, or use another one.',
    details: { limit: 40 },
  },
  too_many_faults: {
    meaning: 'The sandbox has 100 armed faults, the most it may have.',
    remedy: 'Remove them, or make the calls that use them up.',
  },
  name_taken: {
    meaning: 'Something of that kind has this name already.',
    remedy: 'Choose another name.',
  },
  secret_gone: {
    meaning: 'The key was made more than ten minutes ago under this Idempotency-Key; its secret is not shown again.',
    remedy: 'Revoke that key and make another with a new Idempotency-Key.',
  },
  not_newest: {
    meaning: 'A newer version of the company context was stored in the meantime.',
    remedy: 'Read the newest version and decide again.',
  },
  last_owner: {
    meaning: 'A brand keeps at least one owner, and this is the last.',
    remedy: 'Make somebody else an owner first.',
  },
  already_member: {
    meaning: 'That person is a member of the workspace already.',
    remedy: 'Change the role of that member instead.',
  },
  nobody_found: {
    meaning: 'No creator fits this line at its price.',
    remedy: 'Name a creator yourself, or wait for the search of the next morning.',
  },
  closed: {
    meaning: 'The proposal has ended, or the team has stopped new proposals to the creator.',
    remedy: 'Open the newest message, or write to the team.',
  },
  replaced: {
    meaning: 'The post went to another creator.',
    remedy: 'Wait for another proposal.',
  },
  already_answered: {
    meaning: 'The proposal is answered already.',
    remedy: 'Read the proposal; write to the team to change the answer.',
  },
  not_accepted: {
    meaning: 'A day is booked after the proposal is accepted.',
    remedy: 'Accept the proposal first.',
  },
  not_booked: {
    meaning: 'A post is sent once its day is booked.',
    remedy: 'Book a day first.',
  },
  date_booked: {
    meaning: 'The day is booked already.',
    remedy: 'Write to the team to change or give it up.',
  },
};

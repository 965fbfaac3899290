/**
 * A test that produces an error by doing what leads to it: its suite, its title as it is written there, and the helpers
 * of the suite by which it compares (asserted.ts).
 */
type Producer = readonly [suite: string, title: string, helpers?: readonly string[]];

const BILLING = 'services/billing/src/operations';
const CATALOG = 'services/catalog/src/operations';
const GATEWAY = 'services/gateway/src';
const PLANNING = 'services/planning/src/operations';
const PROPOSALS = 'services/proposals/src/operations';

/** For each error code, and each `code/reason`, a test that produces it. */
export const PRODUCED: Readonly<Record<string, Producer>> = {
  bad_request: [
    `${GATEWAY}/operations/keys-usage.test.ts`,
    'a row says what happened, without query values, bodies or ids',
  ],
  filter_required: [
    `${CATALOG}/creators-search.test.ts`,
    'requires a filter when nothing is named and no audience is on file',
  ],
  unauthorized: [
    `${GATEWAY}/operations/key-delegate.test.ts`,
    'when its parent is revoked between the commit and the answer, the answer is 401 and shows no secret',
  ],
  forbidden: [`${GATEWAY}/operations/key-delegate.test.ts`, '%s makes none: 403, without a challenge, with what to do'],
  'forbidden/may_not_delegate': [
    `${GATEWAY}/operations/key-delegate.test.ts`,
    '%s makes none: 403, without a challenge, with what to do',
  ],
  not_found: [`${BILLING}/brand-orders.test.ts`, 'of another workspace do not exist'],
  method_not_allowed: [`${GATEWAY}/edge/routes.test.ts`, '%s is refused with the methods that the path takes'],
  rate_limited: [
    `${GATEWAY}/edge/steps/rate.test.ts`,
    'a refusal carries reason, scope, limit, resets_at and retry_after',
  ],
  unavailable: [`${BILLING}/approve-plan.test.ts`, 'answers 503 while writes are closed, but still replays'],
  internal: [`${GATEWAY}/rest/endpoint.test.ts`, 'any other exception is internal, and its text stays hidden'],
  mandate_refused: [`${PLANNING}/create-campaign.test.ts`, 'refuses %s and stores nothing'],
  conflict: [`${CATALOG}/creator-ask-price.test.ts`, 'refuses a creator that is on sale, and books nothing'],
  unprocessable: [`${BILLING}/approve-plan.test.ts`, 'stores a 422 for a rail that is not offered'],
  idempotency_conflict: [
    `${BILLING}/approve-plan.test.ts`,
    'answers idempotency_conflict for another request under the same key (I03)',
  ],
  in_progress: [
    `${BILLING}/approve-plan.test.ts`,
    'a renewed hold answers in_progress to its command, and idempotency_conflict to another request',
  ],

  'mandate_refused/no_mandate': [`${PLANNING}/create-campaign.test.ts`, 'refuses %s and stores nothing'],
  'mandate_refused/mandate_expired': [`${PLANNING}/create-campaign.test.ts`, 'refuses %s and stores nothing'],
  'mandate_refused/channel_not_allowed': [`${PLANNING}/create-campaign.test.ts`, 'refuses %s and stores nothing'],
  'mandate_refused/approval_not_allowed': [
    `${PLANNING}/plan-sign.test.ts`,
    'refuses %s, stores the verdict and changes nothing else (I17)',
  ],
  'mandate_refused/terms_not_accepted': [
    `${PLANNING}/plan-terms.test.ts`,
    'answers the same refusal as the quote’s policy, and reprices nothing',
  ],
  'mandate_refused/over_max_plan_total': [
    `${PLANNING}/order-of-checks.test.ts`,
    'reports the first that fails with its figures, and changes nothing',
  ],
  'mandate_refused/over_monthly_cap': [
    `${BILLING}/approve-plan.test.ts`,
    'refuses over the monthly cap with exact figures, counting spent cents only (I18)',
  ],
  'mandate_refused/over_budget': [
    `${PLANNING}/plan-quote.test.ts`,
    'shows the plan’s own prices, and over_budget at current ones (docs/domain/plans.md#repricing)',
  ],

  'conflict/over_budget': [`${PLANNING}/plan-swap-creator.test.ts`, 'refuses %s and changes nothing'],
  'conflict/already_in_plan': [`${PLANNING}/plan-swap-creator.test.ts`, 'refuses a creator already on the plan'],
  'conflict/bad_dates': [
    `${PLANNING}/plan-add-creator.test.ts`,
    'refuses the date %s, before today or outside the window',
  ],
  'conflict/same_day': [`${PLANNING}/plan-move-dates.test.ts`, 'refuses to put two posts of one creator on one day'],
  'conflict/plan_signed': [`${PLANNING}/campaign-budget-set.test.ts`, 'is refused as %s and changes nothing'],
  'conflict/archived': [`${PLANNING}/campaign-budget-set.test.ts`, 'is refused as %s and changes nothing'],
  'conflict/already_priced': [
    `${CATALOG}/creator-ask-price.test.ts`,
    'refuses a creator that is on sale, and books nothing',
  ],
  'conflict/last_creator': [`${PLANNING}/plan-remove-creator.test.ts`, 'refuses to drop %s and changes nothing'],
  'conflict/plan_full': ['services/planning/src/domain/edits/edits.test.ts', 'adds no line to a plan of 40'],
  'conflict/has_plan': [`${PLANNING}/delete-campaign.test.ts`, 'refuses a campaign with a plan'],
  'conflict/not_draft': [
    `${PLANNING}/campaign-draft.test.ts`,
    'is written step by step, sent to the team when it is complete, and never deleted after that',
  ],
  'conflict/category_banned': [
    `${PLANNING}/plan-add-creator.test.ts`,
    'answers %s by the context before it checks the mandate, and starts nothing',
  ],
  'conflict/category_review': [
    `${PLANNING}/plan-add-creator.test.ts`,
    'answers %s by the context before it checks the mandate, and starts nothing',
  ],
  'conflict/lines_blocked': [
    `${PLANNING}/plan-sign.test.ts`,
    'refuses %s, stores the verdict and changes nothing else (I17)',
  ],
  'conflict/terms_changed': [
    `${PLANNING}/plan-sign.test.ts`,
    'refuses %s, stores the verdict and changes nothing else (I17)',
  ],
  'conflict/nothing_due': [`${GATEWAY}/operations/sandbox-clock.test.ts`, 'a jump is refused: %s'],
  'conflict/no_open_proposal': [
    `${PROPOSALS}/sandbox-line-answer.test.ts`,
    'refuses an expired proposal and an unpaid line',
  ],
  'conflict/bad_state': [`${CATALOG}/operators/ops-creator-leave.test.ts`, 'cannot be %s'],
  'conflict/order_paid': [
    `${BILLING}/brand-orders.test.ts`,
    'with an open session close it at the rail first, and are paid when the rail has the money',
  ],
  'conflict/order_processing': [`${BILLING}/brand-orders.test.ts`, 'are not cancelled after %s'],
  'conflict/terms_superseded': [`${GATEWAY}/operations/key-mandates.test.ts`, '%s cannot be accepted'],
  'conflict/approval_not_allowed': [`${GATEWAY}/operations/key-mandates.test.ts`, '%s cannot be accepted', ['refusal']],
  'conflict/version_exists': [`${BILLING}/ops-terms.test.ts`, 'are refused with %s'],
  'conflict/too_many_keys': [
    `${GATEWAY}/operations/keys.test.ts`,
    'of 100 keys made at once, never more than 50 are active',
  ],
  'conflict/too_many_sandboxes': [
    `${GATEWAY}/operations/sandbox-make.test.ts`,
    'gets a number of its own when several are made at once, and the eleventh is refused',
  ],
  'conflict/sandbox_full': [
    `${PLANNING}/create-campaign.test.ts`,
    'starts 40 campaigns of a sandbox between two resets, and any number of a live workspace',
  ],
  'conflict/too_many_faults': [
    `${GATEWAY}/operations/sandbox-faults.test.ts`,
    'the hundred-and-first armed fault is refused',
  ],
  'conflict/name_taken': [
    `${GATEWAY}/operations/dev-brand-make.test.ts`,
    'a taken name is 409, even under the same Idempotency-Key, and of two at once one wins',
  ],
  'conflict/secret_gone': [
    `${GATEWAY}/operations/keys.test.ts`,
    'the same Idempotency-Key shows the secret again for ten minutes of database time, then never',
  ],
  'conflict/not_newest': [
    `${PLANNING}/context-put.test.ts`,
    'confirms only the newest version, even when a newer one is written at the same time',
  ],
  'conflict/last_owner': [`${GATEWAY}/people/members.test.ts`, 'the last owner stays'],
  'conflict/already_member': [
    `${GATEWAY}/people/members.test.ts`,
    'a member cannot be invited again, not even by two at once',
  ],
  'conflict/nobody_found': [
    `${PROPOSALS}/line-replace.test.ts`,
    'finds nobody for the team when the search finds nobody, and cancels a line with its credit',
  ],
  'conflict/closed': [`${PROPOSALS}/creator-side.test.ts`, 'closes with its line, and the link ends 30 days after'],
  'conflict/replaced': [
    `${PROPOSALS}/creator-side.test.ts`,
    'has one winner when a late acceptance meets the search for somebody else',
  ],
  'conflict/already_answered': [
    `${PROPOSALS}/creator-side.test.ts`,
    'takes an answer once, and tells the same one again under its Idempotency-Key',
  ],
  'conflict/not_accepted': [
    `${PROPOSALS}/creator-side.test.ts`,
    'is declined with a reason and a note that only the team reads, and withdrawn before a day is booked',
  ],
  'conflict/not_booked': [
    'services/metrics/src/operations/creator-post.test.ts',
    'reads what is missing, submits the post, and has it live with a look by the team',
    ['notBooked'],
  ],
  'conflict/date_booked': [
    `${PROPOSALS}/creator-side.test.ts`,
    'takes an answer once, and tells the same one again under its Idempotency-Key',
  ],

  'rate_limited/request_rate': [
    `${GATEWAY}/edge/steps/rate.test.ts`,
    'a refusal carries reason, scope, limit, resets_at and retry_after',
  ],
  'rate_limited/daily_campaign_limit': [
    `${PLANNING}/create-campaign.test.ts`,
    'starts three campaigns in 24 hours, and says when the limit reopens (I37)',
  ],
  'rate_limited/per_minute': [
    `${CATALOG}/creator-reads.test.ts`,
    'serves 20 reads a minute to a key, then says when the next one is possible (I42)',
  ],
  'rate_limited/daily_lists': [
    `${CATALOG}/creator-reads.test.ts`,
    'refuses the 61st list and the 61st open of a day, and pauses after forty opens in ten minutes',
  ],
  'rate_limited/daily_reveals': [
    `${CATALOG}/creator-reads.test.ts`,
    'refuses the 61st list and the 61st open of a day, and pauses after forty opens in ten minutes',
  ],
  'rate_limited/locked': [
    `${CATALOG}/creator-reads.test.ts`,
    'refuses the 61st list and the 61st open of a day, and pauses after forty opens in ten minutes',
  ],
  'rate_limited/daily_seen': [
    `${CATALOG}/creator-reads.test.ts`,
    'lists only the creators that still fit the day’s views, in list order (I38)',
  ],
  'rate_limited/daily_limit': [`${CATALOG}/creator-ask-price.test.ts`, 'accepts twenty asks in a day'],
  'rate_limited/child_key_limit': [
    `${GATEWAY}/operations/key-delegate.test.ts`,
    'a parent makes 200 children in any 24 hours, whatever became of them',
  ],
  'rate_limited/daily_writes': [
    `${GATEWAY}/edge/steps/daily-writes.test.ts`,
    'are 400 of a key: the next is refused until midnight UTC, and nothing of it is stored',
  ],
  'rate_limited/daily_feedback': [
    `${GATEWAY}/operations/feedback-send.test.ts`,
    'a brand sends 20 a day, by whichever key and workspace; a refused one stores nothing',
  ],
  'rate_limited/sign_in_limit': [
    `${GATEWAY}/people/sessions.test.ts`,
    'a mailbox gets 5 links in 15 minutes, whether or not it is known',
  ],
  'rate_limited/sign_up_limit': [`${GATEWAY}/people/sign-up.test.ts`, 'a client address signs up 10 times a day'],
  'rate_limited/application_limit': [
    `${GATEWAY}/pages/creator/join-pages.test.ts`,
    'comes ten times a day from one address',
  ],
  'rate_limited/invitation_limit': [`${GATEWAY}/people/members.test.ts`, 'a brand sends 50 invitations a day'],
  'rate_limited/guest_rate': [
    `${GATEWAY}/mcp/guest-endpoint.test.ts`,
    '60 requests in a minute of a client address, tool calls too',
  ],
  'rate_limited/guest_quote_limit': [
    `${CATALOG}/guests.test.ts`,
    'prices three times, then says when and how to go on',
  ],
  'rate_limited/stream_limit': [
    `${GATEWAY}/operations/events.test.ts`,
    'are few per key, and one that ends makes room',
  ],
  'bad_request/cursor_expired': [
    `${GATEWAY}/operations/events.test.ts`,
    'say so when the next ones are no longer kept',
  ],
  'unauthorized/needs_account': [`${GATEWAY}/mcp/guest-endpoint.test.ts`, 'resolve_audience with %j needs an account'],
  'conflict/too_many_webhooks': [
    `${GATEWAY}/operations/webhooks.test.ts`,
    'of 15 endpoints made at once ten are kept, and a removed one leaves its place',
  ],
};

import { CONFLICT_GUIDE, type Guidance } from './conflict-guide.js';
import type { ErrorCode, LimitReason, MandateReason } from './error.js';

/** What each error code means and what to do next (docs/guides/errors.md). `details` are an example's. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, Guidance>> = {
  bad_request: {
    meaning:
      'The request is malformed: a parameter is invalid, a field is unknown, or the Idempotency-Key is missing or malformed. details.problems names each field and what it accepts.',
    remedy: 'Correct it and send it again. Nothing was recorded, so the same Idempotency-Key may be used.',
    details: { problems: [{ field: 'limit', message: 'must be a whole number from 1 to 50, in decimal digits' }] },
  },
  filter_required: {
    meaning: 'A list of creators has no filter, and the brand has no audience on file.',
    remedy: 'Set q, segment, match or a filter.',
  },
  unauthorized: {
    meaning: 'The key is missing, unknown, revoked or expired.',
    remedy: 'Send Authorization: Bearer with a valid key. A person of the brand makes keys in Developers.',
  },
  forbidden: {
    meaning:
      'The key lacks a scope, which details.scope names, or the workspace is suspended, or the host or origin is not allowed.',
    remedy: 'Ask an admin of the brand for a key with that scope. Sending it again does not help.',
    details: { scope: 'campaigns:write' },
  },
  not_found: {
    meaning:
      'The workspace has nothing with that id, or nothing is served at that path. Ids of other workspaces get the same answer.',
    remedy: 'List again, and use an id from that answer.',
  },
  method_not_allowed: {
    meaning: 'The path does not accept that method.',
    remedy: 'Use one of the methods that the Allow header lists.',
  },
  rate_limited: {
    meaning: 'A limit is reached. details.reason names it, and details.resets_at says when it reopens.',
    remedy: 'Wait as many seconds as Retry-After says, which details.retry_after repeats, then send it again.',
    details: {
      reason: 'request_rate',
      scope: 'key',
      limit: 60,
      resets_at: '2026-11-22T14:04:00.000Z',
      retry_after: 17,
    },
  },
  unavailable: {
    meaning:
      'A part of the service is unavailable, writes or payments are closed, or a write ran past 25 seconds. A price request that could not be delivered has status 502.',
    remedy: 'Send the same request again after Retry-After, a write with the same Idempotency-Key.',
    details: { retry_after: 1 },
  },
  internal: {
    meaning: 'An error on our side.',
    remedy: 'Send a write again with the same Idempotency-Key. If it persists, report it with its x-request-id.',
  },
  mandate_refused: {
    meaning: "The key's mandate does not allow this write. Nothing was spent.",
    remedy: 'Ask a person at the brand, and give them the figures in details. Sending it again does not help.',
    details: {
      reason: 'over_max_plan_total',
      limit_cents: 500_000,
      requested_cents: 612_000,
      over_by_cents: 112_000,
      escalate: true,
    },
  },
  conflict: {
    meaning: 'The current state does not allow it; details.reason says why. The refusal is stored under its key.',
    remedy: 'Read the state, decide again, and send the request with a new Idempotency-Key.',
    details: { reason: 'plan_signed' },
  },
  unprocessable: {
    meaning: 'The body is well formed, but values are missing or cannot be used. details.problems lists each one.',
    remedy: 'Correct the values. Use a new Idempotency-Key if the refusal depended on state.',
    details: { problems: [{ field: 'budget_usd', message: 'is required' }] },
  },
  idempotency_conflict: {
    meaning: 'This Idempotency-Key was used for another request.',
    remedy: 'Use a new key for a new request.',
  },
  in_progress: {
    meaning: 'The first request under this Idempotency-Key is still running.',
    remedy: 'Send the same request with the same key again after Retry-After.',
    details: { retry_after: 1 },
  },
};

const MANDATE_GUIDE: Readonly<Record<MandateReason, Guidance>> = {
  no_mandate: {
    meaning: 'The key has no mandate, so it may not write.',
    remedy: 'An admin of the brand sets a mandate for the key in Developers.',
  },
  mandate_expired: {
    meaning: "The key's mandate has expired.",
    remedy: 'An admin of the brand sets a new expiry.',
    details: { expired_at: '2026-11-20T00:00:00.000Z' },
  },
  channel_not_allowed: {
    meaning: 'The mandate does not allow a channel of this write; channels names those that are missing.',
    remedy: 'Choose a creator of an allowed channel, or have an admin allow the channel.',
    details: { channels: ['reddit'] },
  },
  approval_not_allowed: {
    meaning: 'The mandate does not let this key sign.',
    remedy: 'An admin of the brand allows the key to sign, or a person signs in the app.',
  },
  terms_not_accepted: {
    meaning: 'Nobody has accepted the current brand terms for this key.',
    remedy: 'An admin of the brand reads and accepts them for the key, at url.',
    details: {
      current_version: '2026-11-01',
      accepted_version: null,
      url: 'https://cds.example/developers/keys/0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b/terms',
    },
  },
  over_max_plan_total: {
    meaning: 'The plan costs more than the mandate allows for one plan.',
    remedy: 'Make the plan smaller by over_by_cents, or have an admin raise the limit.',
    details: { limit_cents: 500_000, requested_cents: 612_000, over_by_cents: 112_000 },
  },
  over_monthly_cap: {
    meaning: 'With this plan the key would spend more than its mandate allows in a month.',
    remedy: 'Wait for the next month in UTC, make the plan smaller, or have an admin raise the cap.',
    details: { limit_cents: 6_000_000, spent_cents: 5_250_000, requested_cents: 1_000_000, over_by_cents: 250_000 },
  },
  over_budget: {
    meaning:
      "The plan is over its campaign's budget. Only a quote's policy.refusal says so; requests get 409 conflict.",
    remedy: 'Remove or swap lines, or have an admin raise the budget.',
    details: { budget_cents: 150_000, total_cents: 161_000, over_by_cents: 11_000 },
  },
};

const limited = (scope: string, limit: number, resetsAt: string, retryAfter: number) => ({
  scope,
  limit,
  resets_at: resetsAt,
  retry_after: retryAfter,
});

const AT_MIDNIGHT = ['2026-11-23T00:00:00.000Z', 35_817] as const;
const TOMORROW = ['2026-11-23T09:15:00.000Z', 69_117] as const;
const IN_A_MINUTE = ['2026-11-22T14:04:00.000Z', 17] as const;

const LIMIT_GUIDE: Readonly<Record<LimitReason, Guidance>> = {
  request_rate: {
    meaning:
      'The key, the key that made it, the session or the client address has used up its requests of this minute.',
    remedy: 'Wait for Retry-After, at most a minute.',
    details: limited('key', 60, ...IN_A_MINUTE),
  },
  daily_writes: {
    meaning:
      'The key, or the key that made it, has sent 400 writes today, the most it may. Retries count too, but are never refused for it.',
    remedy:
      'Wait until midnight UTC. Reads still work, and so do retries of earlier writes under their Idempotency-Keys.',
    details: limited('key', 400, ...AT_MIDNIGHT),
  },
  daily_campaign_limit: {
    meaning:
      'The brand has started 3 campaigns within 24 hours, the most it may. Archiving or deleting one gives no start back.',
    remedy: 'Edit a plan that you have, or wait until resets_at.',
    details: { limit: 3, resets_at: TOMORROW[0], retry_after: TOMORROW[1] },
  },
  per_minute: {
    meaning: 'The key, or all keys of the brand together, made 20 creator reads this minute.',
    remedy: 'Wait for Retry-After.',
    details: limited('key', 20, ...IN_A_MINUTE),
  },
  daily_lists: {
    meaning: 'The key, or all keys of the brand together, made 60 creator searches today.',
    remedy: 'Wait until midnight UTC. Plans, quotes and edits still work.',
    details: limited('key', 60, ...AT_MIDNIGHT),
  },
  daily_reveals: {
    meaning: 'The key, or all keys of the brand together, opened 60 creators today.',
    remedy: 'Wait until midnight UTC. Plans, quotes and edits still work.',
    details: limited('key', 60, ...AT_MIDNIGHT),
  },
  daily_seen: {
    meaning: 'The workspace has seen 300 different creators today, the most it may.',
    remedy: 'Read creators that were seen today, which is free, or wait until midnight UTC.',
    details: limited('workspace', 300, ...AT_MIDNIGHT),
  },
  locked: {
    meaning: 'Reading creators pauses for ten minutes, because 40 were opened within ten minutes.',
    remedy: 'Wait until the pause is over. Plans, quotes and edits still work.',
    details: limited('key', 40, '2026-11-22T14:13:00.000Z', 557),
  },
  daily_limit: {
    meaning:
      'The workspace has sent 20 price requests within 24 hours or, where details name a creator_id, 3 for that creator.',
    remedy: 'Wait until resets_at, choose a creator with a price or, where a creator_id is named, ask for another one.',
    details: limited('workspace', 20, ...TOMORROW),
  },
  child_key_limit: {
    meaning: 'The key has made 200 child keys within 24 hours, the most it may.',
    remedy: 'Use a child key that you have, or wait until resets_at.',
    details: limited('key', 200, ...TOMORROW),
  },
  daily_feedback: {
    meaning: 'The brand has sent 20 feedback messages today, the most it may.',
    remedy: 'Put what is left into one message, and send it after midnight UTC.',
    details: limited('brand', 20, ...AT_MIDNIGHT),
  },
  sign_in_limit: {
    meaning: 'This mail address was sent 5 sign-in links within 15 minutes, the most it may have.',
    remedy: 'Use the newest link, or wait until resets_at.',
    details: limited('mailbox', 5, '2026-11-22T14:13:00.000Z', 557),
  },
  sign_up_limit: {
    meaning: 'This client address has made 10 sign-ups in a day, the most it may.',
    remedy: 'Wait until resets_at.',
    details: limited('address', 10, ...TOMORROW),
  },
  application_limit: {
    meaning: 'This client address has sent 10 creator applications in a day, the most it may.',
    remedy: 'Wait until resets_at.',
    details: limited('address', 10, ...TOMORROW),
  },
  invitation_limit: {
    meaning: 'The brand has sent 50 invitations in a day, the most it may.',
    remedy: 'Wait until resets_at.',
    details: limited('brand', 50, ...TOMORROW),
  },
  guest_rate: {
    meaning: 'This client address has sent 60 guest requests this minute, the most it may.',
    remedy: 'Wait for Retry-After, at most a minute.',
    details: limited('address', 60, ...IN_A_MINUTE),
  },
  guest_quote_limit: {
    meaning: 'This client address has had 3 guest quotes within 7 days, the most it may.',
    remedy: 'Wait until resets_at, or make an account: details.claim says where.',
    details: { limit: 3, window_days: 7, resets_at: '2026-11-27T09:15:00.000Z', retry_after: 414_717 },
  },
  stream_limit: {
    meaning: 'The key, or the session of a person, has 4 streams of events open.',
    remedy: 'Close a stream, or read pages of events instead.',
    details: { scope: 'key', limit: 4, resets_at: '2026-11-22T14:07:53.000Z', retry_after: 250 },
  },
};

export const REASON_GUIDE: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, Guidance>>>>> = {
  bad_request: {
    cursor_expired: {
      meaning: 'The events after this cursor are no longer kept.',
      remedy: 'Read the state of your campaigns, then follow events from the cursor latest.',
    },
  },
  unauthorized: {
    needs_account: {
      meaning: 'A guest named a campaign or called a tool that needs an account.',
      remedy: 'Make an account: details.claim says where. Then send the key as Authorization: Bearer.',
    },
  },
  forbidden: {
    may_not_delegate: {
      meaning: 'The key may not make child keys.',
      remedy: 'Ask an admin of the brand to set may_delegate on it in Developers.',
    },
  },
  mandate_refused: MANDATE_GUIDE,
  conflict: CONFLICT_GUIDE,
  rate_limited: LIMIT_GUIDE,
};

export const errorPath = (code: ErrorCode, reason?: string): string =>
  reason === undefined ? `/docs/errors/${code}` : `/docs/errors/${code}/${reason}`;

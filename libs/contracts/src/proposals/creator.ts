import { z } from 'zod';
import { CREATOR_PAUSES } from '../catalog/creator-side.js';
import { CalendarDate, Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, dateInput, oneOf, stringInput } from '../input.js';
import { CreatorPost, POST_ACTS } from '../metrics/creator-posts.js';
import { defineOperations } from '../operation.js';
import { internalReads, internalWrites } from '../operation-kinds.js';
import { CreatorGuidelines } from '../planning/guidelines.js';
import { PAYOUT_STATES } from './payouts.js';

/** Why a creator declines or withdraws (docs/domain/orders.md#proposals). */
export const DECLINE_REASONS = ['price', 'timing', 'fit', 'policy', 'other'] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** `accepted` awaits a date, `booked` a post; `replaced` went to somebody else. */
export const OFFER_STATES = ['open', 'accepted', 'booked', 'declined', 'expired', 'replaced', 'closed'] as const;
export type OfferState = (typeof OFFER_STATES)[number];

export const CREATOR_ACTS = ['accept', 'decline', 'date', 'withdraw', ...POST_ACTS] as const;
export type CreatorAct = (typeof CREATOR_ACTS)[number];

/**
 * A proposal as its creator sees it: nothing of the plan, the brand's people or the all-in price
 * (docs/domain/pages.md#creator-links).
 */
export const CreatorProposal = z
  .object({
    state: z.enum(OFFER_STATES),
    may: z.array(z.enum(CREATOR_ACTS)),
    sandbox: z.boolean(),
    expires_at: Timestamp.nullable(),
    company: publicText().nullable(),
    product: publicText().nullable(),
    channel: publicText(),
    format: publicText().nullable(),
    deliverable: publicText().nullable(),
    date: CalendarDate.nullable(),
    booked: z.boolean(),
    window: z.object({ start: CalendarDate, end: CalendarDate }),
    /** What the creator asked for this unit; null when catalog holds no ask that led to the line's price. */
    payout_cents: Cents.nullable(),
    payout_state: z.enum(PAYOUT_STATES),
    /** The post to quote, of a quote; null for another format, and while the brand has not named it. */
    launch_post_url: publicText().nullable(),
    pitch: publicText(),
    dos: z.array(publicText()),
    donts: z.array(publicText()),
    /** All guidelines; null until the creator has accepted, and again once the proposal has ended. */
    guidelines: CreatorGuidelines.nullable(),
    /** Null until a day is booked. */
    post: CreatorPost.nullable(),
    decline_reason: z.enum(DECLINE_REASONS).nullable(),
    /** Whether the creator gets new proposals: `paused` by the creator, `closed` by the team. */
    proposals: z.enum(CREATOR_PAUSES),
  })
  .meta({ id: 'CreatorProposal' });
export type CreatorProposal = z.infer<typeof CreatorProposal>;

const day = () => dateInput().describe('The day to post: within the launch window, today or later.');
const why = () => oneOf(DECLINE_REASONS);
const note = () => codePoints({ max: 1_000 }).optional().describe('For the team. The brand does not see it.');

const creatorWrites = {
  audience: 'creator',
  scope: null,
  effect: 'write',
  idempotency: 'optional',
} as const;

export const creatorSideOperations = defineOperations('proposals', {
  creator_proposal: {
    audience: 'creator',
    rest: { method: 'GET', path: '/api/creator/proposal', root: 'app' },
    scope: null,
    effect: 'read',
    summary: 'Returns the proposal that a link opens, as its creator sees it.',
    output: CreatorProposal,
  },
  creator_accept: {
    ...creatorWrites,
    rest: { method: 'POST', path: '/api/creator/accept', root: 'app' },
    summary: 'Accepts the proposal, and books a day if one is named.',
    body: closed({ date: day().optional() }),
    output: CreatorProposal,
    conflicts: ['closed', 'replaced', 'already_answered', 'bad_dates'],
  },
  creator_decline: {
    ...creatorWrites,
    rest: { method: 'POST', path: '/api/creator/decline', root: 'app' },
    summary: 'Declines the proposal.',
    body: closed({ reason: why().optional(), note: note() }),
    output: CreatorProposal,
    conflicts: ['closed', 'replaced', 'already_answered'],
  },
  creator_date: {
    ...creatorWrites,
    rest: { method: 'POST', path: '/api/creator/date', root: 'app' },
    summary: 'Books a day after accepting without one.',
    body: closed({ date: day() }),
    output: CreatorProposal,
    conflicts: ['closed', 'replaced', 'not_accepted', 'date_booked', 'bad_dates'],
  },
  creator_withdraw: {
    ...creatorWrites,
    rest: { method: 'POST', path: '/api/creator/withdraw', root: 'app' },
    summary: 'Withdraws an acceptance before a day is booked.',
    body: closed({ reason: why(), note: note() }),
    output: CreatorProposal,
    conflicts: ['closed', 'replaced', 'not_accepted', 'date_booked'],
  },
  creator_link: {
    ...internalReads,
    callers: ['gateway'],
    summary: "Returns what a creator's link opens, by its token, with the business time there.",
    body: z.object({ token: stringInput('must be a token') }),
    output: z.object({
      workspace: Uuid,
      sandbox: z.boolean(),
      proposal_id: Uuid,
      creator_id: Uuid,
      line_id: Uuid,
      attempt: z.int().min(1),
      /** Whether the proposal still counts as undelivered: opening the link then delivers it. */
      undelivered: z.boolean(),
      now: Timestamp,
    }),
  },
  creator_link_opened: {
    ...internalWrites,
    byOwnId: true,
    callers: ['gateway'],
    summary: 'Notes that the creator opened the link of a proposal that counted as undelivered.',
    body: z.object({ proposal_id: Uuid }),
    output: z.object({ opened: z.literal(true) }),
  },
});

// A line on offer and its newest proposal; every move touches both (docs/reliability.md#proposals).
import type { CreditCause, PaymentState, PROPOSAL_STATES, ReplacementCandidate } from '@cds/contracts';

export type ProposalState = (typeof PROPOSAL_STATES)[number];

export type OfferLine = {
  _id: string;
  ws: string;
  sandbox: boolean;
  order_id: string;
  order_version: number;
  order_state: PaymentState;
  plan_id: string;
  campaign_id: string;
  campaign_number: number;
  /** The seed of its sandbox's creators, where it is not the first one. */
  seed?: number;
  number: number;
  channel: string;
  slot: string;
  launch_window_start: string;
  launch_window_end: string;
  creator_id: string;
  unit_id: string | null;
  format: string | null;
  deliverable: string;
  price_cents: number;
  expected_views: number | null;
  views_low: number | null;
  views_high: number | null;
  engagement_rate: number | null;
  scheduled_date: string;
  booked: boolean;
  cancelled: boolean;
  /** Why the line was cancelled while its order continued. Absent in older lines, as are the next three. */
  cancel_cause?: CreditCause | null;
  credits?: LineCredit[];
  /** The price of the unit that fills the line now, if it is not the one that was signed. */
  fill_cents?: number | null;
  remedy_id?: string | null;
  attempts: number;
  open_attempt: number | null;
  /** Creators to whom this line was offered; nobody gets it twice (I32). */
  tried: string[];
  post: {
    version: number;
    status: 'booked' | 'live' | 'blocked' | 'completed';
    /** Whose post it is. Absent in older lines, as is the next. */
    attempt?: number;
    blocked_reason?: string;
    completed_at?: Date;
  } | null;
  payout?: Payout | null;
  payouts_returned?: (Payout & { returned_at: Date })[];
  /** Version of the newest line.changed; 0 before the first proposal. */
  version: number;
  /** Rises with every write, which decides every race on the line. */
  rev: number;
};

export type Payout = { amount_cents: number; reference: string; at: Date };

export type LineCredit = { cause: CreditCause; amount_cents: number; at: Date };

export type Search = { next_at: Date | null; choose_until: Date | null; candidates: ReplacementCandidate[] };

export type ProposalRow = {
  _id: string;
  ws: string;
  sandbox: boolean;
  line_id: string;
  attempt: number;
  creator_id: string;
  replaced_creator_id: string | null;
  state: ProposalState;
  open: boolean;
  /** Set when the order or the line was cancelled: a mark, not a state (docs/domain/orders.md#proposals). */
  withdrawn_at: Date | null;
  sent_at: Date | null;
  expires_at: Date | null;
  undelivered_at: Date | null;
  accepted_at: Date | null;
  decline_reason: string | null;
  /** When this creator declined or the acceptance ended, and what the creator wrote to the team; absent before. */
  declined_at?: Date;
  decline_note?: string;
  link?: number;
  updated_at: Date;
  persona: Persona | null;
  /** Campaign and line number, which order facts of one instant. Absent in older rows, as are the next three. */
  place?: number;
  search?: Search | null;
  /** When the line is cancelled with its credit unless a day is booked before. */
  ends_at?: Date | null;
  /** The order, of a replacement only: a creator replaces on one line of an order. */
  replaces_in?: string;
  due_at: Date | null;
  rev: number;
};

export type Persona = {
  answer: 'accept' | 'decline' | null;
  answer_at: Date | null;
  books_at_once: boolean;
  booking_at: Date | null;
  late_at: Date | null;
  date: string | null;
};

export type Chain = { line: OfferLine; proposal: ProposalRow };

/** The post of the booked attempt; for any other attempt metrics has only reported an earlier creator's post. */
export const bookedPost = ({ booked, attempts, post }: OfferLine): OfferLine['post'] =>
  booked && post !== null && (post.attempt ?? attempts) === attempts ? post : null;

export const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

import {
  type CreatorAct,
  type CreatorBrief,
  type CreatorPost,
  type CreatorProposal,
  DECLINE_REASONS,
  type OfferState,
  type Output,
} from '@cds/contracts';
import { actsOf, type Offer, offerState } from '../domain/offer-state.js';
import { payoutState, toCreator } from '../domain/payout.js';

const WITH_PITCH: readonly OfferState[] = ['open', 'accepted', 'booked'];
const WITH_GUIDELINES: readonly OfferState[] = ['accepted', 'booked'];

/** What other services say about a proposal: the brand's texts, the creator's terms, and the post of a booked one. */
export type Beside = { brief: CreatorBrief; terms: Output<'creator_terms'>; post: CreatorPost | null };

/** A booked post that metrics does not know yet can be submitted in a moment. */
const postActs = (state: OfferState, post: CreatorPost | null): CreatorAct[] =>
  state === 'booked' ? (post?.may ?? ['post']) : [];

/** Once the place is somebody else's, nothing of the line is shown: it is the other creator's. */
export const presentCreatorProposal = (
  offer: Offer,
  { brief: { company, product, guidelines, launch_post_url }, terms, post }: Beside,
  at: Date,
): CreatorProposal => {
  const { line, own, newest } = offer;
  const state = offerState(offer, at);
  const may = [...actsOf(offer, at), ...postActs(state, post)];
  const isOwn = own._id === newest._id;
  const reads = WITH_PITCH.includes(state) || may.includes('accept');
  return {
    state,
    may,
    sandbox: line.sandbox,
    expires_at: state === 'open' ? (own.expires_at?.toISOString() ?? null) : null,
    company,
    product,
    channel: line.channel,
    format: isOwn ? line.format : null,
    deliverable: isOwn ? toCreator(line.deliverable) : null,
    date: isOwn ? line.scheduled_date : null,
    booked: isOwn && line.booked,
    window: { start: line.launch_window_start, end: line.launch_window_end },
    payout_cents: terms.payout_cents,
    payout_state: isOwn ? payoutState(line) : 'not_due',
    launch_post_url: reads && isOwn && line.format === 'quote' ? launch_post_url : null,
    pitch: reads ? guidelines.pitch : '',
    dos: reads ? guidelines.dos : [],
    donts: reads ? guidelines.donts : [],
    guidelines: WITH_GUIDELINES.includes(state) ? guidelines : null,
    post: state === 'booked' ? post : null,
    decline_reason: DECLINE_REASONS.find((reason) => reason === own.decline_reason) ?? null,
    proposals: line.sandbox ? 'closed' : terms.proposals,
  };
};

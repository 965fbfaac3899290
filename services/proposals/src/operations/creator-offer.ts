import {
  type AppError,
  type ConflictReason,
  type CreatorPost,
  type CreatorProposal,
  conflict,
  notFound,
} from '@cds/contracts';
import { actorOf, type Change, type Client, type Ctx, change, creatorLinkOf } from '@cds/service';
import type { Answered, AnswerRefusal } from '../domain/creator-moves.js';
import type { Offer } from '../domain/offer-state.js';
import { presentCreatorProposal } from '../present/creator-proposal.js';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';

export type CreatorDeps = { offers: Offers; calls: Client<'creator_brief' | 'creator_terms'> };

/** Raises unauthorized for a caller without a link. */
export const ownOffer = async (ctx: Ctx, offers: Offers): Promise<Offer> => {
  const offer = await offers.offer(creatorLinkOf(ctx).proposal, ctx.principal.workspace);
  if (offer === null) throw notFound('proposal');
  return offer;
};

export const shownOffer = async (
  ctx: Ctx,
  offer: Offer,
  { calls }: CreatorDeps,
  post: CreatorPost | null = null,
): Promise<CreatorProposal> => {
  const { line, own, newest } = offer;
  const [brief, terms] = await Promise.all([
    calls.creator_brief(ctx, { id: line.campaign_id }),
    calls.creator_terms(ctx, {
      creator_id: own.creator_id,
      unit_id: own._id === newest._id ? line.unit_id : null,
      price_cents: line.fill_cents ?? line.price_cents,
    }),
  ]);
  return presentCreatorProposal(offer, { brief, terms, post }, ctx.now);
};

const MESSAGES: Readonly<Record<AnswerRefusal, string>> = {
  closed: 'This proposal is closed. It takes no answer any more.',
  replaced: 'This place has been given to someone else.',
  already_answered: 'This proposal was answered already.',
  not_accepted: 'Accept the proposal first.',
  date_booked: 'A day is booked already. Write to the team to change it.',
  bad_dates: '`date` must be today or later and within the launch window',
};

export const refused = (refusal: AnswerRefusal, { line }: Offer): AppError => {
  const details =
    refusal === 'bad_dates'
      ? { launch_window_start: line.launch_window_start, launch_window_end: line.launch_window_end }
      : {};
  const message =
    refusal === 'bad_dates'
      ? `${MESSAGES[refusal]}, ${line.launch_window_start} to ${line.launch_window_end}.`
      : MESSAGES[refusal];
  return conflict(refusal satisfies ConflictReason, message, details);
};

export const moveOf = (offer: Offer, answered: Answered) => {
  if ('refusal' in answered) throw refused(answered.refusal, offer);
  return answered.move;
};

export const answeredBy = async (
  ctx: Ctx,
  offer: Offer,
  answer: Answered,
  action: string,
  deps: CreatorDeps,
): Promise<Change<CreatorProposal>> => {
  const move = moveOf(offer, answer);
  const { line, proposal } = move.chain;
  const shown = await shownOffer(ctx, { line, own: proposal, newest: proposal }, deps);

  return change(shown, {
    save: (tx) => deps.offers.save(tx, { line: offer.line, proposal: offer.own }, move),
    events: [{ name: 'line.changed', payload: lineChanged(move.chain) }],
    audit: [
      {
        ws: line.ws,
        actor: actorOf(ctx),
        action,
        object: proposal._id,
        payload: { state: proposal.state, date: line.booked ? line.scheduled_date : null },
      },
    ],
  });
};

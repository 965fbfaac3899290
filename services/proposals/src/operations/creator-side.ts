import {
  type AppError,
  type ConflictReason,
  type CreatorPost,
  type CreatorProposal,
  conflict,
  notFound,
} from '@cds/contracts';
import {
  actorOf,
  type Change,
  type Client,
  type Ctx,
  change,
  creatorLinkOf,
  type ReadHandler,
  type WriteHandler,
} from '@cds/service';
import { type LinkKeys, readLinkToken } from '../domain/creator-link.js';
import {
  type Answered,
  type AnswerRefusal,
  acceptOffer,
  bookOffer,
  declineOffer,
  delivered,
  withdrawOffer,
} from '../domain/creator-moves.js';
import { isLinkAlive, type Offer, offerState } from '../domain/offer-state.js';
import { presentCreatorProposal } from '../present/creator-proposal.js';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';
import type { LineClock } from './paid-line.js';

export type CreatorDeps = { offers: Offers; calls: Client<'creator_brief' | 'creator_terms'> };

/** Raises unauthorized for a caller without a link. */
const ownOffer = async (ctx: Ctx, offers: Offers): Promise<Offer> => {
  const offer = await offers.offer(creatorLinkOf(ctx).proposal, ctx.principal.workspace);
  if (offer === null) throw notFound('proposal');
  return offer;
};

const shownOffer = async (
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

const answering =
  <I>(action: string, answer: (offer: Offer, now: Date, input: I) => Answered) =>
  async (ctx: Ctx, input: I, deps: CreatorDeps): Promise<Change<CreatorProposal>> => {
    const offer = await ownOffer(ctx, deps.offers);

    const answered = answer(offer, ctx.now, input);
    if ('refusal' in answered) throw refused(answered.refusal, offer);
    const { move } = answered;

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

/** Raises conflict (closed, replaced, already_answered, bad_dates). Source: docs/domain/pages.md#creator-links. */
export const creatorAccept: WriteHandler<'creator_accept', CreatorDeps> = answering(
  'proposal.accept',
  (offer, now, { date }) => acceptOffer(offer, now, date ?? null),
);

/**
 * Raises conflict (closed, replaced, not_accepted, date_booked, bad_dates). Source:
 * docs/domain/pages.md#creator-links.
 */
export const creatorDate: WriteHandler<'creator_date', CreatorDeps> = answering(
  'proposal.date',
  (offer, now, { date }) => bookOffer(offer, now, date),
);

/** Raises conflict (closed, replaced, already_answered). Source: docs/domain/pages.md#creator-links. */
export const creatorDecline: WriteHandler<'creator_decline', CreatorDeps> = answering('proposal.decline', declineOffer);

/** Raises conflict (closed, replaced, not_accepted, date_booked). Source: docs/domain/pages.md#creator-links. */
export const creatorWithdraw: WriteHandler<'creator_withdraw', CreatorDeps> = answering(
  'proposal.withdraw',
  withdrawOffer,
);

type Calls = Client<'creator_post_read'>;

/** Source: docs/domain/pages.md#creator-links. */
export const creatorProposal: ReadHandler<'creator_proposal', CreatorDeps & { calls: Calls }> = async (
  ctx,
  _input,
  deps,
) => {
  const offer = await ownOffer(ctx, deps.offers);
  return shownOffer(ctx, offer, deps, await postOf(ctx, offer, deps.calls));
};

const postOf = async (ctx: Ctx, offer: Offer, calls: Calls): Promise<CreatorPost | null> => {
  if (offerState(offer, ctx.now) !== 'booked') return null;
  const { line, own } = offer;
  const { post } = await calls.creator_post_read(ctx, { line_id: line._id, attempt: own.attempt });
  return post;
};

/** Opening the link delivers a proposal whose message was not reported sent yet. Raises not_found. */
export const creatorLinkOpened: WriteHandler<'creator_link_opened', LineClock & { offers: Offers }> = async (
  _ctx,
  { proposal_id },
  { offers, clocks },
) => {
  const offer = await offers.offer(proposal_id);
  if (offer === null) throw notFound('proposal');
  const { line, own } = offer;
  const now = await clocks.now(line.ws);
  const answer = { opened: true as const };
  if (own.state !== 'sending' || offerState(offer, now) !== 'open') return change(answer, { save: async () => {} });

  const chain = { line, proposal: own };
  const move = delivered(chain, now);
  return change(answer, {
    save: (tx) => offers.save(tx, chain, move),
    events: [{ name: 'line.changed', payload: lineChanged(move.chain) }],
  });
};

/** Raises not_found for a token that was never made, was replaced, or whose line ended 30 days ago. */
export const creatorLink: ReadHandler<'creator_link', LineClock & { offers: Offers; links: LinkKeys }> = async (
  _ctx,
  { token },
  { offers, links, clocks },
) => {
  const read = readLinkToken(links, token);
  const offer = read === null ? null : await offers.offer(read.id);
  if (read === null || offer === null) throw notFound('link');
  const { line, own } = offer;
  const now = await clocks.now(line.ws);
  if (!isLinkAlive(offer, read.number, now)) throw notFound('link');

  return {
    workspace: line.ws,
    sandbox: line.sandbox,
    proposal_id: own._id,
    creator_id: own.creator_id,
    line_id: line._id,
    attempt: own.attempt,
    undelivered: own.state === 'sending' && offerState(offer, now) === 'open',
    now: now.toISOString(),
  };
};

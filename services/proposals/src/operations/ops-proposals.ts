import { conflict, type LinkedProposal, notFound, type OpsProposal } from '@cds/contracts';
import {
  actorOf,
  type Change,
  type Client,
  type Ctx,
  change,
  listed,
  type ReadHandler,
  RecordedOutcome,
  runWrite,
  systemContext,
  type WriteHandler,
  type WriteShell,
} from '@cds/service';
import { type LinkKeys, linkTokenOf } from '../domain/creator-link.js';
import {
  type Answered,
  acceptOffer,
  declineForCreator,
  delivered,
  movableDays,
  moveBookedDay,
  relinked,
} from '../domain/creator-moves.js';
import type { Move } from '../domain/moves.js';
import { linkEnd, type Offer, offerState } from '../domain/offer-state.js';
import { lineChanged } from '../present/line-changed.js';
import { presentOpsProposal } from '../present/ops-proposal.js';
import type { Offers } from '../store/offers.js';
import { refused } from './creator-side.js';
import type { LineClock } from './paid-line.js';

export type OpsProposalDeps = LineClock & {
  appUrl: string;
  links: LinkKeys;
  offers: Offers;
  calls: Client<'identity_reveal' | 'creator_brief'>;
};

export const proposalNamed = async (offers: Offers, id: string): Promise<Offer> => {
  const offer = await offers.offer(id);
  if (offer === null) throw notFound('proposal');
  return offer;
};

export const linkOf = (
  { appUrl, links }: Pick<OpsProposalDeps, 'appUrl' | 'links'>,
  id: string,
  number: number,
): string => `${appUrl}/creator/${linkTokenOf(links, { id, number })}`;

export const handlesOf = async (
  ctx: Ctx,
  offers: readonly Pick<Offer, 'line' | 'own'>[],
  calls: Pick<OpsProposalDeps['calls'], 'identity_reveal'>,
): Promise<ReadonlyMap<string, string>> => {
  const handles = new Map<string, string>();
  for (const ws of new Set(offers.map(({ line }) => line.ws))) {
    const some = offers.filter(({ line }) => line.ws === ws);
    const sandbox = some.some(({ line }) => line.sandbox);
    const of = { workspace: ws, sandbox, now: ctx.now, networkNow: ctx.networkNow };
    const orders = [...new Set(some.map(({ line }) => line.order_id))];
    const { creators } = await calls.identity_reveal(
      { ...systemContext(of), deadline: ctx.deadline },
      {
        order_id: orders[0] ?? '',
        order_ids: orders.slice(1),
        creator_ids: [...new Set(some.map(({ own }) => own.creator_id))],
      },
    );
    const byCreator = new Map(creators.map((one) => [one.creator_id, one.handle]));
    for (const { own } of some) {
      const handle = byCreator.get(own.creator_id);
      if (handle !== undefined) handles.set(own._id, handle);
    }
  }
  return handles;
};

/** The posts that quotes quote, by proposal, as planning knows them now. */
const launchPostsOf = async (
  ctx: Ctx,
  offers: readonly Pick<Offer, 'line' | 'own'>[],
  calls: Pick<OpsProposalDeps['calls'], 'creator_brief'>,
): Promise<ReadonlyMap<string, string | null>> => {
  const quotes = offers.filter(({ line }) => line.format === 'quote');
  const campaigns = new Map(quotes.map(({ line }) => [line.campaign_id, line]));
  const posts = new Map(
    await Promise.all(
      [...campaigns.values()].map(async ({ campaign_id, ws, sandbox }) => {
        const of = { workspace: ws, sandbox, now: ctx.now, networkNow: ctx.networkNow };
        const brief = await calls.creator_brief({ ...systemContext(of), deadline: ctx.deadline }, { id: campaign_id });
        return [campaign_id, brief.launch_post_url] as const;
      }),
    ),
  );
  return new Map(quotes.map(({ line, own }) => [own._id, posts.get(line.campaign_id) ?? null]));
};

export const shownProposals = async (
  ctx: Ctx,
  offers: readonly Offer[],
  { calls }: Pick<OpsProposalDeps, 'calls'>,
): Promise<OpsProposal[]> => {
  const [handles, launchPosts] = await Promise.all([handlesOf(ctx, offers, calls), launchPostsOf(ctx, offers, calls)]);
  return offers.map((offer) =>
    presentOpsProposal(offer, {
      handle: handles.get(offer.own._id) ?? null,
      launchPost: launchPosts.get(offer.own._id) ?? null,
    }),
  );
};

export const opsMoveOf = (offer: Offer, answered: Answered): Move => {
  if (!('refusal' in answered)) return answered.move;
  if (answered.refusal === 'bad_dates') throw refused(answered.refusal, offer);
  throw conflict('bad_state', refused(answered.refusal, offer).message, { state: offer.own.state });
};

export const operated = async (
  ctx: Ctx,
  offer: Offer,
  move: Move,
  { action, reason }: { action: string; reason: string },
  deps: OpsProposalDeps,
): Promise<Change<OpsProposal>> => {
  const { line, proposal } = move.chain;
  const after: Offer = { line, own: proposal, newest: proposal };
  const [shown] = await shownProposals(ctx, [after], deps);
  if (shown === undefined) throw new Error('a proposal was not shown');
  return change(shown, {
    save: (tx) => deps.offers.save(tx, { line: offer.line, proposal: offer.own }, move),
    events: move.emits ? [{ name: 'line.changed', payload: lineChanged(move.chain) }] : [],
    audit: [
      {
        ws: line.ws,
        actor: actorOf(ctx),
        action,
        object: proposal._id,
        reason,
        payload: {
          state: proposal.state,
          link: proposal.link ?? 1,
          ...(line.booked ? { date: line.scheduled_date } : {}),
        },
      },
    ],
  });
};

/** The longest unchanged first. Source: docs/domain/operators.md#operators. */
export const opsProposalsList: ReadHandler<'ops_proposals_list', OpsProposalDeps> = async (ctx, input, deps) => {
  const olderThan = input.older_than === undefined ? null : new Date(input.older_than);
  const page = await listed(input, {
    rows: (place, limit) => deps.offers.page(input.state ?? null, olderThan, place, limit),
    placeOf: ({ own }) => ({ at: own.updated_at, id: own._id }),
    present: (offer) => offer,
  });

  return { items: await shownProposals(ctx, page.items, deps), next: page.next };
};

const operating =
  <I extends { id: string; reason: string }>(action: string, decide: (offer: Offer, now: Date, input: I) => Move) =>
  async (ctx: Ctx, input: I, deps: OpsProposalDeps): Promise<Change<OpsProposal>> => {
    const offer = await proposalNamed(deps.offers, input.id);
    const now = await deps.clocks.now(offer.line.ws);
    return operated(ctx, offer, decide(offer, now, input), { action, reason: input.reason }, deps);
  };

/** Raises not_found, conflict (bad_state). Source: docs/domain/orders.md#proposals. */
export const opsProposalSent: WriteHandler<'ops_proposal_sent', OpsProposalDeps> = operating(
  'proposal.sent',
  (offer, now) => {
    const { line, own } = offer;
    if (own.state !== 'sending' || offerState(offer, now) !== 'open')
      throw conflict('bad_state', 'This proposal does not wait for its message to be sent.', { state: own.state });
    return delivered({ line, proposal: own }, now);
  },
);

/** Raises not_found, conflict (bad_state, bad_dates). Source: docs/domain/orders.md#proposals. */
export const opsProposalAccept: WriteHandler<'ops_proposal_accept', OpsProposalDeps> = operating(
  'proposal.accept',
  (offer, now, { date }) => opsMoveOf(offer, acceptOffer(offer, now, date ?? null)),
);

/** Raises not_found, conflict (bad_state, bad_dates). Source: docs/domain/orders.md#line-status. */
export const opsProposalDate: WriteHandler<'ops_proposal_date', OpsProposalDeps> = operating(
  'proposal.date',
  (offer, now, { date }) => {
    const answered = moveBookedDay(offer, now, date);
    if ('refusal' in answered && answered.refusal === 'bad_dates') {
      const { first, last } = movableDays(offer.line, now);
      throw conflict('bad_dates', `The day must be from ${first} to ${last}.`, { first, last });
    }
    return opsMoveOf(offer, answered);
  },
);

/** Also ends an acceptance before its post is live. Raises not_found, conflict (bad_state). */
export const opsProposalDecline: WriteHandler<'ops_proposal_decline', OpsProposalDeps> = operating(
  'proposal.decline',
  (offer, now, { because }) => opsMoveOf(offer, declineForCreator(offer, now, because)),
);

/**
 * Makes a new link, which voids the old one. No other operation answers a link, so the audit has every one that was
 * given. The record holds the link's number: a replay answers the same link, even once a newer one has voided it.
 * Raises not_found, conflict (bad_state). Source: docs/domain/pages.md#creator-links.
 */
export const opsProposalLink: WriteHandler<'ops_proposal_link', OpsProposalDeps & { shell: WriteShell }> = async (
  ctx,
  input,
  deps,
) => {
  const outcome = await runWrite(deps.shell, ctx, 'ops_proposal_link', 200, async () => {
    const offer = await proposalNamed(deps.offers, input.id);
    const { line, own, newest } = offer;
    if (own._id !== newest._id)
      throw conflict('bad_state', 'This place was given to someone else.', { state: own.state });

    const end = linkEnd(offer);
    if (end !== null && end <= (await deps.clocks.now(line.ws)))
      throw conflict('bad_state', 'The line ended more than 30 days ago, so no link opens it.', { state: own.state });

    const move = relinked({ line, proposal: own });
    const done = await operated(ctx, offer, move, { action: 'proposal.link', reason: input.reason }, deps);
    return change({ ...done.answer, link: String(move.chain.proposal.link) }, done.parts);
  });
  if (!outcome.ok) return new RecordedOutcome(outcome);

  // A record of an earlier version has no number: its link opens nothing, and another Idempotency-Key gets a new one.
  const { link: number, ...shown } = JSON.parse(outcome.json.toString()) as LinkedProposal;
  const json = Buffer.from(JSON.stringify({ ...shown, link: linkOf(deps, shown.id, Number(number)) }));
  return new RecordedOutcome({ ...outcome, json });
};

import { conflict, notFound, type OpsProposal } from '@cds/contracts';
import { actorOf, type Change, type Client, type Ctx, change, systemContext } from '@cds/service';
import { type LinkKeys, linkTokenOf } from '../domain/creator-link.js';
import type { Answered } from '../domain/creator-moves.js';
import type { Move } from '../domain/moves.js';
import type { Offer } from '../domain/offer-state.js';
import { lineChanged } from '../present/line-changed.js';
import { presentOpsProposal } from '../present/ops-proposal.js';
import type { Offers } from '../store/offers.js';
import { refused } from './creator-offer.js';
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

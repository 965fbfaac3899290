import { isServed, notFound } from '@cds/contracts';
import { type Client, Encoded, type ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { audienceOfRead } from '../domain/audience/audience-in-force.js';
import { isBookable, isListed } from '../domain/creator/bookable.js';
import type { HandleLeakFilter } from '../identity/handle-leak-filter.js';
import { bookRead } from '../metering/book-read.js';
import { presentCreator } from '../present/creator.js';
import type { Audiences } from '../snapshot/audiences.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { Creators } from '../store/creators.js';
import type { Meters } from '../store/meters.js';
import type { PlanCreators } from '../store/plan-creators.js';

/**
 * Listed, or on a plan of the workspace (docs/specification.md#open-a-creator). Raises rate_limited, and not_found also
 * for a foreign campaign and a page that the leak filter blocks.
 */
export const creatorGet: ReadHandler<
  'creator_get',
  {
    appUrl: string;
    audiences: Pick<Audiences, 'of'>;
    creators: Creators;
    planCreators: Pick<PlanCreators, 'isOnPlan'>;
    memory: NetworkMemory;
    meters: Pick<Meters, 'book'>;
    planning: Client<'campaign_texts'>;
    leakFilter: Pick<HandleLeakFilter, 'passes'>;
  }
> = async (ctx, input, { appUrl, audiences, creators, planCreators, memory, meters, planning, leakFilter }) => {
  const [creator, onFile, campaign] = await Promise.all([
    creators.byId(input.id.toLowerCase()),
    audiences.of(ctx.principal.workspace),
    input.campaign_id === undefined ? null : planning.campaign_texts(ctx, { id: input.campaign_id.toLowerCase() }),
  ]);
  if (creator === null) throw notFound('creator');
  const known = isListed(creator) || (await planCreators.isOnPlan(ctx.principal.workspace, creator._id));
  if (!known) throw notFound('creator');

  const network = memory.at(ctx.networkNow);
  const day = dayOf(ctx.networkNow);
  const inForce = audienceOfRead(input, campaign, onFile.segments);
  const audience = inForce?.audience ?? null;

  const page = JSON.stringify(
    presentCreator(creator, {
      day,
      appUrl,
      score: audience === null ? null : network.scores.scoreOf(creator, audience),
      audience: inForce?.named ?? null,
      reasons: audience === null ? [] : network.scores.reasonsFor(creator, audience),
      estimate: isListed(creator) ? network.estimateOf({ creator, bookable: isBookable(creator, day) }) : null,
      withMedianViews: isServed('median_views_30d', ctx),
      withSampleMedian: isServed('posts_summary.median_views', ctx),
    }),
  );
  if (!leakFilter.passes(creator._id, page)) throw notFound('creator');

  await bookRead(ctx, meters, { kind: 'open', creators: [creator._id] });
  return new Encoded(page);
};

import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { isListed } from '../domain/bookable.js';
import { dayOf } from '../domain/days.js';
import { presentCreator } from '../present/creator.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { Contexts } from '../store/contexts.js';
import type { Creators } from '../store/creators.js';

/**
 * One listed creator in full, scored for the audience on file. Handle and links are null. Raises not_found for every
 * other id. Source: spec, "GET /creators/{id}"; domain 1-network 5.
 */
export const creatorGet: ReadHandler<
  'creator_get',
  { contexts: Contexts; creators: Creators; memory: NetworkMemory }
> = async (ctx, input, { contexts, creators, memory }) => {
  const [creator, onFile] = await Promise.all([
    creators.byId(input.id.toLowerCase()),
    contexts.audienceOf(ctx.principal.workspace),
  ]);
  if (creator === null || !isListed(creator)) throw notFound('creator');

  const score = onFile.segments.length === 0 ? null : memory.at(ctx.networkNow).scoreOf(creator, onFile.segments);

  return presentCreator(creator, {
    day: dayOf(ctx.networkNow),
    score,
    withTwins: ctx.switches.deprecated_fields,
  });
};

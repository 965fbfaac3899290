import { isServed } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { totalsOf } from '../domain/totals.js';
import { presentResult } from '../present/items.js';
import { loadPublished, noteOf, type PublishedDeps } from './published.js';

/** Raises not_found for an unknown or foreign campaign. Source: docs/specification.md#resultitem. */
export const resultsList: ReadHandler<'results_list', PublishedDeps> = async (ctx, input, deps) => {
  const published = await loadPublished(ctx, input.campaign_id, deps);

  const options = { briefId: isServed('brief_id', ctx) };
  return {
    items: published.map((one) => presentResult(one, options, ctx.now)),
    ...(input.campaign_id === undefined ? {} : { totals: totalsOf(published) }),
    ...(await noteOf(ctx, input.campaign_id, published, deps)),
  };
};

import { isServed } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { presentEvidence } from '../present/items.js';
import { loadPublished, noteOf, type PublishedDeps } from './published.js';

/** Raises not_found for an unknown or foreign campaign. Source: docs/specification.md#evidenceitem. */
export const evidenceList: ReadHandler<'evidence_list', PublishedDeps> = async (ctx, input, deps) => {
  const published = await loadPublished(ctx, input.campaign_id, deps);

  const options = { briefId: isServed('brief_id', ctx) };
  return {
    items: published.map((one) => presentEvidence(one, options)),
    ...(await noteOf(ctx, input.campaign_id, published, deps)),
  };
};

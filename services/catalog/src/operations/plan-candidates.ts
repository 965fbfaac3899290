import type { ReadHandler } from '@cds/service';
import { resolveAudience } from '../domain/audience/segments.js';
import type { CandidatePages } from '../snapshot/candidate-pages.js';

/** Creators that a plan may use, by id and in pages. Source: docs/domain/plans.md#candidates. */
export const planCandidates: ReadHandler<'plan_candidates', { candidatePages: CandidatePages }> = async (
  ctx,
  input,
  { candidatePages },
) => {
  const { segments, unresolved } = resolveAudience(input.audience ?? '');

  return candidatePages.page(ctx.networkNow, {
    segments,
    unresolved,
    audience: input.audience,
    geography: input.geography ?? null,
    page: input.page ?? null,
  });
};

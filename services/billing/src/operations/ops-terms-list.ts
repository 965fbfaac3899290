import { AppError } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { presentTerms } from '../present/terms.js';
import type { Terms } from '../store/terms.js';

export type OpsTermsDeps = { terms: Terms; appUrl: string };

const PAGE = 50;

/** Newest first. Source: docs/domain/orders.md#brand-terms. */
export const opsTermsList: ReadHandler<'ops_terms_list', OpsTermsDeps> = async (_ctx, input, { terms, appUrl }) => {
  const limit = input.limit ?? PAGE;
  const [current, rows] = await Promise.all([terms.newest(), terms.page(placeIn(input.cursor), limit + 1)]);

  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => presentTerms(row, row._id === current, appUrl)),
    next: rows.length > limit && last !== undefined ? String(last.number) : null,
  };
};

const placeIn = (cursor: string | undefined): number | null => {
  if (cursor === undefined) return null;
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor);
  throw new AppError('bad_request', 'This request cannot be read. Correct what details.problems names.', {
    problems: [{ field: 'cursor', message: 'must be the `next` of the previous page' }],
  });
};

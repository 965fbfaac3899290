import { AppError, conflict } from '@cds/contracts';
import { actorOf, change, type ReadHandler, type WriteHandler } from '@cds/service';
import { presentTerms } from '../present/terms.js';
import { type Terms, termsVersion } from '../store/terms.js';

/** Source: docs/domain/orders.md#brand-terms. */
export const termsCurrent: ReadHandler<'terms_current', { terms: Terms }> = async (_ctx, { version }, { terms }) => {
  const found = version === undefined ? await terms.current() : await terms.byVersion(version);
  if (found === null) return { terms: null };
  const { _id, number, text, text_sha256, published_at } = found;
  return { terms: { version: _id, number, text, text_sha256, published_at: published_at.toISOString() } };
};

/** Repeating it changes nothing. Raises conflict (version_exists). Source: docs/domain/orders.md#brand-terms. */
export const termsPublish: WriteHandler<'terms_publish', { terms: Terms }> = async (ctx, input, { terms }) => {
  const wanted = termsVersion(input, ctx.networkNow);

  const published = await terms.publish(wanted);
  const current = published ? wanted : await terms.byVersion(input.version);

  if (current === null || current.number !== wanted.number || current.text_sha256 !== wanted.text_sha256) {
    throw conflict(
      'version_exists',
      'This version or number of the brand terms is already published with another text. Publish it as a new version.',
      { version: input.version, number: input.number },
    );
  }
  return { version: current._id, number: current.number, published_at: current.published_at.toISOString() };
};

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

/** Raises conflict (version_exists), unprocessable (a lower number). Source: docs/domain/orders.md#brand-terms. */
export const opsTermsPublish: WriteHandler<'ops_terms_publish', OpsTermsDeps> = async (
  ctx,
  input,
  { terms, appUrl },
) => {
  const [known, current] = await Promise.all([terms.byVersion(input.version), terms.current()]);
  if (known !== null || current?.number === input.number)
    throw conflict(
      'version_exists',
      'The brand terms already have this version or number. Publish under another date id with the next number.',
      { version: input.version, number: input.number },
    );
  if (current !== null && input.number < current.number) throw belowCurrent(current.number);

  const row = termsVersion(input, ctx.networkNow);
  return change(presentTerms(row, true, appUrl), {
    save: (tx) => terms.insert(tx, row),
    audit: [
      {
        ws: '',
        actor: actorOf(ctx),
        action: 'terms.published',
        object: row._id,
        reason: input.reason,
        payload: { number: row.number, text_sha256: row.text_sha256, replaces: current?._id ?? null },
      },
    ],
  });
};

const belowCurrent = (number: number): AppError =>
  new AppError('unprocessable', 'These terms would never be in force. Correct what details.problems names.', {
    problems: [{ field: 'number', message: `must be above ${number}, the number of the current version` }],
  });

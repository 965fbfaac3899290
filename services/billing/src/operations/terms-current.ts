import type { ReadHandler } from '@cds/service';
import type { Terms } from '../store/terms.js';

/** Source: docs/domain/orders.md#brand-terms. */
export const termsCurrent: ReadHandler<'terms_current', { terms: Terms }> = async (_ctx, { version }, { terms }) => {
  const found = version === undefined ? await terms.current() : await terms.byVersion(version);
  if (found === null) return { terms: null };
  const { _id, number, text, text_sha256, published_at } = found;
  return { terms: { version: _id, number, text, text_sha256, published_at: published_at.toISOString() } };
};

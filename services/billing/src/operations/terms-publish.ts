import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { type Terms, termsVersion } from '../store/terms.js';

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

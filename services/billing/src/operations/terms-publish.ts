import { createHash } from 'node:crypto';
import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import type { Terms, TermsVersion } from '../store/terms.js';

/**
 * Publishes a version of the brand terms, which is current from then on; the same version again changes nothing.
 * Raises conflict (version_exists) when the date id or the number stands for another text. Source: domain 3-orders 3.
 */
export const termsPublish: WriteHandler<'terms_publish', { terms: Terms }> = async (ctx, input, { terms }) => {
  const wanted: TermsVersion = {
    _id: input.version,
    number: input.number,
    text: input.text,
    text_sha256: createHash('sha256').update(input.text).digest('hex'),
    published_at: ctx.networkNow,
  };

  const published = await terms.publish(wanted);
  const standing = published ? wanted : await terms.byVersion(input.version);

  if (standing === null || standing.number !== wanted.number || standing.text_sha256 !== wanted.text_sha256) {
    throw conflict(
      'version_exists',
      'This version or number of the brand terms is published with another text. Publish a new version.',
      { version: input.version, number: input.number },
    );
  }
  return { version: standing._id, number: standing.number, published_at: standing.published_at.toISOString() };
};

import type { BrandTerms } from '@cds/contracts';

type Published = { _id: string; number: number; text_sha256: string; published_at: Date };

export const presentTerms = (terms: Published, current: boolean, appUrl: string): BrandTerms => ({
  version: terms._id,
  number: terms.number,
  text_sha256: terms.text_sha256,
  published_at: terms.published_at.toISOString(),
  current,
  url: `${appUrl}/terms/brand/${terms._id}`,
});

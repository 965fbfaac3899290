import type { CampaignInput, Candidate } from '@cds/contracts';
import type { Selection } from '../plan.js';

export const ANYONE: Selection = { max_creators: null, formats: null, max_price_cents: null, exclude_creator_ids: [] };

type Asked = Pick<CampaignInput, 'max_creators' | 'formats' | 'max_price_usd' | 'exclude_creator_ids'>;

export const selectionOf = ({ max_creators, formats, max_price_usd, exclude_creator_ids }: Asked): Selection => ({
  max_creators: max_creators ?? null,
  formats: formats === undefined ? null : [...new Set(formats)],
  max_price_cents: max_price_usd === undefined ? null : Math.round(max_price_usd * 100),
  exclude_creator_ids: [...new Set(exclude_creator_ids?.map((id) => id.toLowerCase()))],
});

export const askedBy = (selection: Selection): Asked => ({
  ...(selection.max_creators === null ? {} : { max_creators: selection.max_creators }),
  ...(selection.formats === null ? {} : { formats: selection.formats }),
  ...(selection.max_price_cents === null ? {} : { max_price_usd: selection.max_price_cents / 100 }),
  ...(selection.exclude_creator_ids.length === 0 ? {} : { exclude_creator_ids: selection.exclude_creator_ids }),
});

export const narrows = ({ formats, max_price_cents, exclude_creator_ids }: Selection): boolean =>
  formats !== null || max_price_cents !== null || exclude_creator_ids.length > 0;

/** The candidates that a selection leaves, with the units it allows (docs/domain/plans.md#candidates). */
export const selected = (candidates: readonly Candidate[], selection: Selection): readonly Candidate[] => {
  if (!narrows(selection)) return candidates;
  const excluded = new Set(selection.exclude_creator_ids);
  const { formats, max_price_cents: most } = selection;
  return candidates
    .filter(({ creator_id }) => !excluded.has(creator_id))
    .map((candidate) => ({
      ...candidate,
      units: candidate.units.filter(
        ({ format, price_cents }) =>
          (formats === null || formats.includes(format)) && (most === null || price_cents <= most),
      ),
    }));
};

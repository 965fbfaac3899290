/** How a creator leaves the network for good (docs/domain/network.md#creators-who-leave). */

import { DELIVERABLE, FORMAT_LABEL } from '../pricing/prices.js';
import type { Creator, PriceRow, Unit } from './creator.js';
import { bandOf } from './figures.js';

export const goneBecause = ({ erased_at: erased, merged_into: into }: Creator): string | null => {
  if (erased != null) return 'The creator was erased.';
  return into == null ? null : `The creator was merged into ${into}.`;
};

/** What remains of an erased creator: ids, units and prices, so that plan lines stay intact. */
export const erased = (creator: Creator, at: Date): Partial<Creator> => ({
  erased_at: at,
  chore: { kind: 'erase', network_id: isOfNetwork(creator) ? creator.network_id : null },
  active: false,
  network_id: `erased:${creator._id}`,
  name: null,
  bio: null,
  positioning: null,
  followers: null,
  verified_badge: null,
  country: null,
  language: null,
  avatar: null,
  posts: [],
  posts_summary: null,
  posts_measured: 0,
  posts_held: 0,
  posts_per_week: null,
  median_views_30d: null,
  engagement_rate_30d: null,
  expected_views: null,
  views_series: [],
  reach_band: bandOf(null),
  vetting: null,
  sync_review: null,
  past_syncs: [],
  pinned: null,
  refresh_failed_at: null,
  weights: [],
  collabs: [],
  notes: null,
  exclusion_reason: null,
  account: { created_at: null, protected: false, parody: false, withheld: false },
  units: creator.units.map((unit) => ({
    ...unit,
    label: FORMAT_LABEL[unit.format],
    deliverable: DELIVERABLE[unit.format],
  })),
});

export type Merge =
  | { illegal: string }
  | {
      from: Partial<Creator>;
      into: Partial<Creator>;
      earlier: (other: Creator) => Partial<Creator>;
      gained: { unit: Unit; of: Unit }[];
    };

const NOT_OF_NETWORK = /^(?:creator|merged|erased):/;

export const isOfNetwork = ({ network_id: id }: Pick<Creator, 'network_id'>): boolean => !NOT_OF_NETWORK.test(id);

/**
 * The survivor keeps everything and gains the formats that it does not sell; the duplicate's units stay, off sale, for
 * plan lines. An earlier duplicate's handle in transit goes to the survivor.
 */
export const merged = (from: Creator, into: Creator, earlier: readonly Creator[], newId: () => string): Merge => {
  if (from._id === into._id) return { illegal: 'A creator cannot be merged into itself.' };
  const gone = goneBecause(into);
  if (gone !== null) return { illegal: gone };
  if (isOfNetwork(from) && isOfNetwork(into))
    return {
      illegal: 'The two are different accounts on the social network. Only duplicates of one account can be merged.',
    };

  const takes = isOfNetwork(from);
  const onItsWay = earlier.some(({ chore }) => chore?.kind === 'merge' && chore.takes_identity);
  const gained = from.units
    .filter((unit) => unit.price !== null && !into.units.some(({ format }) => format === unit.format))
    .map((of) => ({ of, unit: { ...of, unit_id: newId() } }));
  return {
    gained,
    from: {
      active: false,
      merged_into: into._id,
      network_id: `merged:${from._id}`,
      chore: { kind: 'merge', into: into._id, takes_identity: takes && !onItsWay },
    },
    earlier: ({ chore }) => ({
      merged_into: into._id,
      ...(chore?.kind === 'merge' ? { chore: { ...chore, into: into._id } } : {}),
    }),
    into: {
      ...(takes ? { network_id: from.network_id } : {}),
      units: [...into.units, ...gained.map(({ unit }) => unit)].sort(inOrder),
    },
  };
};

const ORDER = ['post', 'quote', 'thread'];
const inOrder = (one: Unit, other: Unit): number => ORDER.indexOf(one.format) - ORDER.indexOf(other.format);

export const gainedRow = (row: PriceRow, unit: Unit, creatorId: string, id: string): PriceRow => ({
  ...row,
  _id: id,
  unit_id: unit.unit_id,
  creator_id: creatorId,
});

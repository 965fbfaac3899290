/** How much of a creator's text is about each segment (docs/domain/network.md#creator-weights). */
import { segmentsIn } from '../audience/segments.js';
import { BIO_SHARE, POSTS_SHARE, REACHES_FROM, SEGMENTS_SHOWN_MAX } from '../constants.js';
import type { Creator, SegmentWeight } from './creator.js';

export const weightsOf = (postTexts: readonly string[], bio: string | null): SegmentWeight[] => {
  const posts = new Map<string, number>();
  for (const text of postTexts) for (const { id } of segmentsIn(text).segments) posts.set(id, (posts.get(id) ?? 0) + 1);
  const inBio = new Set(bio === null ? [] : segmentsIn(bio).segments.map(({ id }) => id));

  return [...new Set([...posts.keys(), ...inBio])]
    .map((id) => {
      const share = postTexts.length === 0 ? 0 : (posts.get(id) ?? 0) / postTexts.length;
      const w = Math.round((POSTS_SHARE * share + (inBio.has(id) ? BIO_SHARE : 0)) * 1e6) / 1e6;
      return { id, w, posts: posts.get(id) ?? 0 };
    })
    .sort((one, other) => other.w - one.w || (one.id < other.id ? -1 : 1));
};

export const segmentsShown = (weights: readonly SegmentWeight[]): string[] =>
  weights
    .filter(({ w }) => w >= REACHES_FROM)
    .slice(0, SEGMENTS_SHOWN_MAX)
    .map(({ id }) => id);

/** Computed weights with the operator's pins in their place (docs/domain/network.md#creator-weights). */
export const withPins = (weights: readonly SegmentWeight[], held: Pick<Creator, 'pinned'> | null): SegmentWeight[] => {
  const pins = held?.pinned?.weights ?? null;
  if (pins === null) return [...weights];
  const pinned = new Map(pins.map(({ id, w }) => [id, w]));
  const kept = weights.filter(({ id }) => !pinned.has(id));
  const set = pins.map(({ id, w }) => ({ id, w, posts: weights.find((one) => one.id === id)?.posts ?? 0 }));
  return [...kept, ...set].sort((one, other) => other.w - one.w || (one.id < other.id ? -1 : 1));
};

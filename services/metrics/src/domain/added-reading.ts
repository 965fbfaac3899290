// Readings that the team or a file adds to a post (docs/domain/orders.md#results).
import { VIEWS_FELL_SHARE } from './constants.js';
import { isWatched, type Post, type PostMove } from './post.js';
import { withReadings } from './post-moves.js';
import { type Reading, readingsOfPost } from './reading.js';
import type { Counted } from './unusual.js';

export type ReadingRefusal = { about: 'state' | 'captured_at' | 'known'; message: string };

/** `earlier` has all readings of the line, also those of a post before this one. */
export type ReadingFacts = { now: Date; earlier: readonly Reading[]; history: readonly Counted[] };

export const withAdded = (
  post: Post,
  reading: Reading,
  { now, earlier, history }: ReadingFacts,
): { move: PostMove; fell: boolean } | ReadingRefusal => {
  const { published_at: publishedAt } = post;
  if (publishedAt === null || post.gone_at !== null || !isWatched(post))
    return { about: 'state', message: 'Only a post that is up can be read.' };
  const { captured_at: capturedAt, source } = reading;
  if (capturedAt < publishedAt || capturedAt > now)
    return {
      about: 'captured_at',
      message: `must be between ${publishedAt.toISOString()}, when the post was made, and now, ${now.toISOString()}`,
    };
  if (earlier.some((one) => one.source === source && one.captured_at.getTime() === capturedAt.getTime()))
    return { about: 'known', message: 'There is a reading of this moment already.' };
  return {
    move: withReadings(post, publishedAt, [...earlier, reading], history),
    fell: viewsFell(reading, readingsOfPost(post, earlier)),
  };
};

export const viewsFell = (reading: Reading, earlier: readonly Reading[]): boolean => {
  const { views, captured_at } = reading;
  const before = earlier
    .filter((one) => one.views !== null && one.captured_at < captured_at)
    .reduce<Reading | null>((newest, one) => (newest && newest.captured_at > one.captured_at ? newest : one), null);
  return views !== null && before?.views != null && views < before.views * (1 - VIEWS_FELL_SHARE);
};

// Readings of a post: when they are due, and what they add up to (docs/domain/orders.md#results).
import { HOUR_MS, READING_HOURS, STILL_UP_MS } from './constants.js';

export const FIGURES = ['views', 'likes', 'comments', 'shares', 'bookmarks', 'clicks', 'profile_visits'] as const;

export type Metrics = Record<(typeof FIGURES)[number], number | null>;

export const metricsOf = (figure: (name: keyof Metrics) => number | null): Metrics =>
  Object.fromEntries(FIGURES.map((name) => [name, figure(name)])) as Metrics;

export type Reading = Metrics & {
  _id: string;
  ws: string;
  line_id: string;
  post_id?: string | null;
  captured_at: Date;
  source: 'sandbox' | 'channel' | 'import' | 'operator' | 'creator';
};

export const readingOf = (
  post: { _id: string; ws: string; post_id: string | null },
  captured_at: Date,
  metrics: Metrics,
  source: Reading['source'],
  id: string,
): Reading => ({ _id: id, ws: post.ws, line_id: post._id, post_id: post.post_id, captured_at, ...metrics, source });

type Known = { value: number; as_of: Date } | null;

export type Figures = {
  snapshots: number;
  latest: (Metrics & { captured_at: Date }) | null;
  previous: (Metrics & { captured_at: Date }) | null;
  /** The first reading at or after seven days (I61). */
  still_up: { checked_at: Date; views: number | null } | null;
  /** The newest reading stands out; absent while it does not. */
  unusual?: true;
  newest: { bookmarks: Known; clicks: Known; profile_visits: Known };
};

export const NO_FIGURES: Figures = {
  snapshots: 0,
  latest: null,
  previous: null,
  still_up: null,
  newest: { bookmarks: null, clicks: null, profile_visits: null },
};

/** Without those of a rejected post or an earlier creator's. One that names no post is of the one up before it. */
export const readingsOfPost = <R extends Pick<Reading, 'post_id' | 'captured_at'>>(
  post: { post_id: string | null; published_at: Date | null },
  readings: readonly R[],
): R[] =>
  readings.filter(
    ({ post_id, captured_at }) =>
      post.published_at !== null && captured_at >= post.published_at && (post_id == null || post_id === post.post_id),
  );

export const figuresOf = (publishedAt: Date, readings: readonly Reading[]): Figures => {
  const ordered = [...readings].sort((one, other) => one.captured_at.getTime() - other.captured_at.getTime());
  const proof = ordered.find((reading) => reading.captured_at.getTime() >= publishedAt.getTime() + STILL_UP_MS);
  return {
    snapshots: ordered.length,
    latest: figuresAt(ordered.at(-1)),
    previous: figuresAt(ordered.at(-2)),
    still_up: proof === undefined ? null : { checked_at: proof.captured_at, views: proof.views },
    newest: {
      bookmarks: newestOf(ordered, 'bookmarks'),
      clicks: newestOf(ordered, 'clicks'),
      profile_visits: newestOf(ordered, 'profile_visits'),
    },
  };
};

const figuresAt = (reading: Reading | undefined): Figures['latest'] =>
  reading === undefined ? null : { captured_at: reading.captured_at, ...metricsOf((name) => reading[name]) };

const newestOf = (ordered: readonly Reading[], figure: keyof Metrics): Known => {
  const reading = ordered.findLast((one) => one[figure] !== null);
  const value = reading?.[figure];
  return reading === undefined || value === null || value === undefined ? null : { value, as_of: reading.captured_at };
};

/** The first due point after the newest reading, which covers every earlier one; null after thirty days. */
export const nextReadingAt = (publishedAt: Date, newest: Date | null): Date | null => {
  const points = READING_HOURS.map((hours) => new Date(publishedAt.getTime() + hours * HOUR_MS));
  return points.find((point) => newest === null || point > newest) ?? null;
};

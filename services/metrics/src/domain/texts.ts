// The texts of evidence and results (docs/domain/orders.md#results).
import { dayInWords, dayOf } from '@cds/service/calendar';
import { COMPARE_FROM_MS, DAY_MS, HOUR_MS, STILL_UP_MS } from './constants.js';
import type { Figures } from './reading.js';

export const grouped = (value: number): string => value.toString().replace(/\B(?=(\d{3})+$)/g, ',');

const counted = (value: number, one: string, many: string): string => `${grouped(value)} ${value === 1 ? one : many}`;

export const dateText = (at: Date): string => dayInWords(dayOf(at));

/** An instant to the minute, as "28 November 2026, 14:00 UTC". */
export const instantText = (at: Date): string => `${dateText(at)}, ${at.toISOString().slice(11, 16)} UTC`;

export const readingLine = (
  reading: Pick<NonNullable<Figures['latest']>, 'views' | 'likes' | 'comments' | 'shares'>,
): string => {
  const parts = [
    ...(reading.views === null ? [] : [counted(reading.views, 'view', 'views')]),
    ...(reading.likes === null ? [] : [counted(reading.likes, 'like', 'likes')]),
    ...(reading.comments === null ? [] : [counted(reading.comments, 'comment', 'comments')]),
    ...(reading.shares === null ? [] : [counted(reading.shares, 'share', 'shares')]),
  ];
  return parts.length === 0 ? 'No figures in this reading' : parts.join(', ');
};

export const moreLines = ({
  bookmarks,
  clicks,
  profile_visits,
}: Figures['newest']): { line: string; as_of: Date }[] => [
  ...(bookmarks === null ? [] : [{ line: counted(bookmarks.value, 'bookmark', 'bookmarks'), as_of: bookmarks.as_of }]),
  ...(clicks === null ? [] : [{ line: counted(clicks.value, 'link click', 'link clicks'), as_of: clicks.as_of }]),
  ...(profile_visits === null
    ? []
    : [{ line: counted(profile_visits.value, 'profile visit', 'profile visits'), as_of: profile_visits.as_of }]),
];

/** What the proof says, as "Still up after 7 days, 18,402 views". */
export const stillUpLine = (publishedAt: Date, proof: NonNullable<Figures['still_up']>): string => {
  const days = Math.floor((proof.checked_at.getTime() - publishedAt.getTime()) / DAY_MS);
  const views = proof.views === null ? '' : `, ${counted(proof.views, 'view', 'views')}`;
  return `Still up after ${counted(days, 'day', 'days')}${views}`;
};

export const versusText = (
  publishedAt: Date,
  latest: Figures['latest'],
  expected: { views_low: number | null; views_high: number | null },
): string => {
  if (latest === null) return 'No reading yet.';
  if (latest.views === null) return 'The latest reading carries no views.';
  const { views } = latest;
  const { views_low: low, views_high: high } = expected;
  if (low === null || high === null) return 'No expected views were set for this post.';
  const ageMs = latest.captured_at.getTime() - publishedAt.getTime();
  const range = `expected ${grouped(low)} to ${grouped(high)} views`;
  if (ageMs < COMPARE_FROM_MS) {
    return `Too early to compare: read after ${counted(Math.floor(ageMs / HOUR_MS), 'hour', 'hours')}; ${range}.`;
  }
  if (views < low) return `Below the ${range} (${grouped(views)} ${ageMs < STILL_UP_MS ? 'so far' : 'in the end'}).`;
  if (views <= high) return `Within the ${range}.`;
  return `Above the ${range}, by ${grouped(aboveByPercent(views, high))}%.`;
};

const aboveByPercent = (views: number, high: number): number =>
  high === 0 ? 100 : Math.max(1, Math.round(((views - high) * 100) / high));

/** When the next reading comes, or since when it has been due; null when there are no more. */
export const scheduleText = (next: Date | null, now: Date): string | null => {
  if (next === null) return null;
  return next > now ? `Next reading ${instantText(next)}` : `Reading due since ${instantText(next)}`;
};

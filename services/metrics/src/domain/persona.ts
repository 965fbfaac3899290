// How a sandbox creator's post behaves (docs/domain/orders.md#sandbox-creators).
import { createHash } from 'node:crypto';
import { type RandomKey, seededNormal, seededRandom } from '@cds/service/seeded-random';
import {
  CLICKS_PER_VIEW,
  DAY_MS,
  DEFAULT_RATE_PERCENT,
  DISCLOSED_LATER_UNDER,
  DISCLOSED_UNDER,
  ENGAGEMENT_SHARES,
  GONE_DAYS,
  GONE_UNDER,
  HOUR_MS,
  LATE_DAYS,
  LATE_UNDER,
  ON_TIME_UNDER,
  POSTS_FROM_HOUR,
  POSTS_UNTIL_HOUR,
  REPOST_WITHIN_MS,
  REPOSTS_UNDER,
  UNMEASURED_VIEWS,
  VIEWS_SCALE_MS,
  VIEWS_SHAPE,
  VIEWS_SPREAD,
  X_EPOCH_MS,
} from './constants.js';
import type { Metrics } from './reading.js';

export type Disclosing = 'now' | 'late' | 'never';
export type Posting = 'on_time' | 'late' | 'never';

export const posting = (key: RandomKey): Posting => {
  const u = seededRandom(key, 'live');
  return u < ON_TIME_UNDER ? 'on_time' : u < LATE_UNDER ? 'late' : 'never';
};

/** Between 09:00 and 21:00 UTC. Time and days are drawn under their own labels, `live-time` and `live-days`. */
export const postingAt = (key: RandomKey, date: string, when: 'on_time' | 'late'): Date => {
  const daysLate = when === 'late' ? 1 + Math.floor(seededRandom(key, 'live-days') * LATE_DAYS) : 0;
  const hours = POSTS_FROM_HOUR + seededRandom(key, 'live-time') * (POSTS_UNTIL_HOUR - POSTS_FROM_HOUR);
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + daysLate * DAY_MS + Math.floor(hours * HOUR_MS));
};

export const disclosing = (key: RandomKey): Disclosing => {
  const u = seededRandom(key, 'disclosure');
  return u < DISCLOSED_UNDER ? 'now' : u < DISCLOSED_LATER_UNDER ? 'late' : 'never';
};

/** Milliseconds after it went live, and after it went; null for never. Labels gone and repost. */
export const deleting = (key: RandomKey): { gone_after_ms: number | null; back_after_ms: number | null } => {
  if (seededRandom(key, 'gone') >= GONE_UNDER) return { gone_after_ms: null, back_after_ms: null };
  const days = GONE_DAYS.least + seededRandom(key, 'gone-time') * (GONE_DAYS.most - GONE_DAYS.least);
  const back = seededRandom(key, 'repost') < REPOSTS_UNDER;
  return {
    gone_after_ms: Math.round(days * DAY_MS),
    back_after_ms: back ? Math.round(seededRandom(key, 'repost-time') * REPOST_WITHIN_MS) : null,
  };
};

/** Views grow towards the expected ones, engagements follow the creator's rate. Labels views and figures. */
export const metricsAt = (
  key: RandomKey,
  ageMs: number,
  of: { expected_views: number | null; engagement_rate: number | null },
): Metrics => {
  const final = (of.expected_views ?? UNMEASURED_VIEWS) * Math.exp(VIEWS_SPREAD * seededNormal(key, 'views'));
  const views = Math.round(final * (1 - Math.exp(-((ageMs / VIEWS_SCALE_MS) ** VIEWS_SHAPE))));
  const engagements = (views * (of.engagement_rate ?? DEFAULT_RATE_PERCENT)) / 100;
  return {
    views,
    likes: Math.round(engagements * ENGAGEMENT_SHARES.likes),
    comments: Math.round(engagements * ENGAGEMENT_SHARES.comments),
    shares: Math.round(engagements * ENGAGEMENT_SHARES.shares),
    bookmarks: Math.round(engagements * ENGAGEMENT_SHARES.bookmarks),
    clicks: Math.round(views * CLICKS_PER_VIEW),
    profile_visits: null,
  };
};

/** The id of a sandbox post, in the form of X: its milliseconds, then 22 bits of SHA-256 over line id and attempt. */
export const sandboxPostId = (publishedAt: Date, lineId: string, attempt: number): string => {
  const low = createHash('sha256').update(`${lineId}|${attempt}`, 'utf8').digest().readUIntBE(0, 3) >> 2;
  return ((BigInt(publishedAt.getTime() - X_EPOCH_MS) << 22n) | BigInt(low)).toString();
};

/** Made-up creators (docs/domain/network.md#generated-network). Deterministic; no clock is read. */

import { createHash } from 'node:crypto';
import { type CreatorStatus, FORMATS, type Format, SEGMENTS } from '@cds/contracts';
import { addDays, dayOf } from '@cds/service/calendar';
import { ALIASES } from '../domain/audience/phrases.js';
import { DAY_MS, SHARE_PERCENT, WINDOW_DAYS } from '../domain/constants.js';
import type { GeneratedFacts, ImportedCreator, ImportedPost, ImportedUnit } from '../domain/import/imported-creator.js';
import {
  ACCOUNT_AGE_DAYS,
  COLLABORATES,
  CPM,
  ENGAGEMENT,
  EXCLUDED,
  FLAGGED,
  FOLLOWERS,
  KINDS,
  KNOWN_COUNTRY,
  KNOWN_LANGUAGE,
  MIX,
  NO_BIO,
  OFF_TOPIC_POSTS,
  PAID_POSTS,
  PAUSED,
  PORTRAYED,
  POSTS_A_WEEK,
  PRICE,
  PRICE_AGE_DAYS,
  PRICED,
  REFRESH_FAILED,
  SEGMENTS_OF_CREATOR_MAX,
  SELLS,
  STATUSES,
  TEAM_SET,
  VERIFIED,
  VIEWS,
  VIEWS_PER_FOLLOWER,
} from './laws.js';
import { Stream } from './stream.js';
import { BIOS, COUNTRIES, FIRST_NAMES, LANGUAGES, LAST_NAMES, OFF_TOPIC, ON_TOPIC } from './words.js';

const weightedOf = <T>(stream: Stream, table: readonly (readonly [T, number])[], otherwise: T): T =>
  table[stream.weighted(table.map(([, weight]) => weight))]?.[0] ?? otherwise;

export const generateCreator = (seed: number, index: number, asOf: Date): ImportedCreator => {
  const stream = new Stream(seed, index);
  const ids = { id: stream.uuid(), unit_ids: unitIds(stream) };
  const first = stream.pick(FIRST_NAMES);
  const last = stream.pick(LAST_NAMES);
  const handle = handleOf(stream, first, index);

  const followers = Math.min(FOLLOWERS.most, Math.round(stream.logNormal(FOLLOWERS.median, FOLLOWERS.spread)));
  const size = followers / FOLLOWERS.median;
  const medianViews =
    followers *
    stream.logNormal(VIEWS_PER_FOLLOWER.median * size ** VIEWS_PER_FOLLOWER.slope, VIEWS_PER_FOLLOWER.spread);
  const engagement = stream.logNormal(ENGAGEMENT.median * size ** ENGAGEMENT.slope, ENGAGEMENT.spread);
  const saleStatus = saleStatusOf(stream);
  const units = unitsOf(stream, medianViews, dayOf(asOf));
  const segments = segmentsOf(stream);
  const bio = stream.bernoulli(NO_BIO) ? null : bioOf(stream, segments);
  const country = stream.bernoulli(KNOWN_COUNTRY) ? weightedOf(stream, COUNTRIES, 'United States') : null;
  const language = stream.bernoulli(KNOWN_LANGUAGE) ? weightedOf(stream, LANGUAGES, 'English') : null;
  const verified = stream.bernoulli(VERIFIED);
  const accountAge = stream.uniform(ACCOUNT_AGE_DAYS.from, ACCOUNT_AGE_DAYS.to);
  const refreshFailed = new Stream(seed, index, ':refresh').bernoulli(REFRESH_FAILED);
  const syncedAt = refreshFailed ? new Date(asOf.getTime() - DAY_MS) : asOf;
  const posts = withPaidOnes(
    postsOf(stream, { syncedAt, medianViews, engagement, segments, index }),
    new Stream(seed, index, ':collaborations'),
  );

  return {
    network_id: `demo-${seed}-${index}`,
    handle,
    url: `https://example.com/${handle}`,
    name: `${first} ${last}`,
    bio,
    followers,
    verified_badge: verified,
    account_created_at: new Date(asOf.getTime() - accountAge * DAY_MS),
    protected: false,
    parody: false,
    withheld: false,
    country,
    language,
    posts,
    units,
    generated: {
      seed,
      index,
      ...ids,
      ...saleStatus,
      avatar: new Stream(seed, index, ':avatar').bernoulli(PORTRAYED) ? portraitName(seed, index) : null,
      refresh_failed: refreshFailed,
    },
  };
};

const portraitName = (seed: number, index: number): string =>
  `${createHash('sha256').update(`${seed}:${index}:portrait name`).digest('hex').slice(0, 32)}.png`;

const unitIds = (stream: Stream): Readonly<Record<Format, string>> => ({
  post: stream.uuid(),
  quote: stream.uuid(),
  thread: stream.uuid(),
});

const handleOf = (stream: Stream, first: string, index: number): string => {
  const salt = stream
    .below(36 ** 3)
    .toString(36)
    .padStart(3, '0');
  return `demo_${first.slice(0, 3).toLowerCase()}${salt}${index.toString(36).padStart(4, '0')}`;
};

const saleStatusOf = (stream: Stream): Pick<GeneratedFacts, 'status' | 'active' | 'flag_inactive' | 'excluded'> => ({
  status: weightedOf<CreatorStatus>(stream, STATUSES, 'approved'),
  active: !stream.bernoulli(PAUSED),
  flag_inactive: stream.bernoulli(FLAGGED),
  excluded: stream.bernoulli(EXCLUDED),
});

const segmentsOf = (stream: Stream): [string, ...string[]] => {
  const wanted = 1 + stream.below(SEGMENTS_OF_CREATOR_MAX);
  const chosen = new Set<string>();
  while (chosen.size < wanted) {
    const rank = stream.weighted(SEGMENTS.map((_segment, at) => 1 / (at + 1)));
    chosen.add(SEGMENTS[rank]?.id ?? 'ai-builders');
  }
  return [...chosen] as [string, ...string[]];
};

const aliasOf = (stream: Stream, segment: string): string => {
  const [label = segment, ...others] = ALIASES[segment] ?? [];
  return stream.pick([label, ...others]);
};

const bioOf = (stream: Stream, segments: readonly [string, ...string[]]): string => {
  const second = segments[1] ?? segments[0];
  const filled = stream.pick(BIOS).replace('{}', aliasOf(stream, segments[0])).replace('{}', aliasOf(stream, second));
  return filled.charAt(0).toUpperCase() + filled.slice(1);
};

const textOf = (stream: Stream, segments: readonly [string, ...string[]]): string => {
  if (stream.bernoulli(OFF_TOPIC_POSTS)) return stream.pick(OFF_TOPIC);
  const at = stream.weighted(segments.map((_segment, rank) => 1 / (rank + 1)));
  return stream.pick(ON_TOPIC).replace('{}', aliasOf(stream, segments[at] ?? segments[0]));
};

type PostLaws = {
  /** When it was last read: nothing of it is newer. */
  syncedAt: Date;
  medianViews: number;
  engagement: number;
  segments: readonly [string, ...string[]];
  index: number;
};

const postsOf = (stream: Stream, { syncedAt, medianViews, engagement, segments, index }: PostLaws): ImportedPost[] => {
  const aWeek = stream.logNormal(POSTS_A_WEEK.median, POSTS_A_WEEK.spread);
  const count = Math.min(POSTS_A_WEEK.mostInWindow, Math.round((aWeek * WINDOW_DAYS) / 7));
  const spread = stream.uniform(VIEWS.spreadFrom, VIEWS.spreadTo);

  return Array.from({ length: count }, (_none, at): ImportedPost => {
    const age = stream.uniform(0, WINDOW_DAYS * DAY_MS);
    const runaway = stream.bernoulli(VIEWS.runaway) ? VIEWS.runawayTimes : 1;
    const views = Math.round(stream.logNormal(medianViews, spread) * runaway);
    const engagements = (views * engagement * Math.exp(0.2 * stream.normal())) / 100;
    return {
      id: `demo-${index}-${at}`,
      created_at: new Date(syncedAt.getTime() - Math.round(age)),
      kind: FORMATS[stream.weighted(KINDS)] ?? 'post',
      text: textOf(stream, segments),
      views,
      likes: Math.round(engagements * MIX.likes),
      replies: Math.round(engagements * MIX.replies),
      reposts: Math.round(engagements * MIX.reposts),
      quotes: Math.round(engagements * MIX.quotes),
      bookmarks: Math.round(engagements * MIX.bookmarks),
      paid_partnership: false,
    };
  });
};

/** Makes some posts of some creators paid ones, so that past collaborations show. They have their own random stream. */
const withPaidOnes = (posts: readonly ImportedPost[], stream: Stream): ImportedPost[] => {
  const collaborates = stream.bernoulli(COLLABORATES);
  return posts.map((post) => ({ ...post, paid_partnership: collaborates && stream.bernoulli(PAID_POSTS) }));
};

const unitsOf = (stream: Stream, medianViews: number, today: string): ImportedUnit[] => {
  const typicalViews = FOLLOWERS.median * VIEWS_PER_FOLLOWER.median;
  const cpm = stream.logNormal(CPM.medianUsd * (medianViews / typicalViews) ** CPM.slope, CPM.spread);
  const priced = stream.bernoulli(PRICED);
  const byTeam = stream.bernoulli(TEAM_SET);
  const asOf = addDays(today, -stream.below(PRICE_AGE_DAYS + 1));
  const quote = stream.bernoulli(SELLS.quote);
  const thread = stream.bernoulli(SELLS.thread);
  if (!priced) return [];

  const unit = (format: Format, factor: number): ImportedUnit => {
    const usd = Math.max(PRICE.floorUsd, (medianViews * cpm * factor) / 1000);
    const allIn = Math.round(usd / PRICE.stepUsd) * PRICE.stepUsd;
    return {
      format,
      label: null,
      deliverable: null,
      // A whole number, since a price is a multiple of five dollars.
      ask_cents: allIn * (100 - SHARE_PERCENT),
      as_of: asOf,
      ...(byTeam ? { source: 'team', method: 'set_price' } : { source: 'creator', method: 'stated' }),
    };
  };
  return [
    unit('post', 1),
    ...(quote ? [unit('quote', PRICE.quote)] : []),
    ...(thread ? [unit('thread', PRICE.thread)] : []),
  ];
};

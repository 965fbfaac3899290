// How a post is planned from its line (docs/domain/orders.md#line-status).
import type { RandomKey } from '@cds/service/seeded-random';
import { expectedViews, isOver, type Line, type Offer } from './line.js';
import { deleting, disclosing, posting, postingAt } from './persona.js';
import { isListed, missingAt, moved, type Post, type PostMove, type PostPlan, randomKeyOf } from './post.js';
import { NO_FIGURES } from './reading.js';

/**
 * Null when the post does not change. A booking, or another day or creator for a post that has not come, plans it
 * again, unless its remedy was decided before; the end of the line or its order stops it.
 */
export const followLine = (before: Post | null, line: Line): PostMove | null => {
  const { offer } = line;
  if (before === null) return offer?.booked === true && !isOver(line) ? planned(blank(line, offer), line, offer) : null;
  if (isOver(line)) return before.stopped ? null : moved(before, { stopped: true }, false);
  if (offer === null) return null;
  if (!offer.booked) return before.booked ? moved(before, NOTHING_DUE, isListed(before)) : null;
  if (offer.attempt > before.attempt) return planned(afresh(before, line, offer), line, offer, before.version > 0);
  if (before.published_at !== null || before.remedy != null) return null;
  const same =
    before.booked &&
    before.attempt === offer.attempt &&
    before.creator_id === offer.creator_id &&
    before.scheduled_date === offer.scheduled_date;
  return same ? null : planned(before, line, offer);
};

const NOTHING_DUE: Partial<Post> = {
  booked: false,
  plan: null,
  missing_at: null,
  remedy_at: null,
  back_at: null,
  look_at: null,
  undisclosed_at: null,
  disclosure_at: null,
  gone_due_at: null,
  reading_at: null,
};

const afresh = (post: Post, line: Line, offer: Offer): Post => ({
  ...blank(line, offer),
  integrity: post.integrity ?? null,
  claims: post.claims ?? [],
  status: post.status,
  ...(post.readings_version === undefined ? {} : { readings_version: post.readings_version }),
  version: post.version,
  rev: post.rev,
});

/** `known` says that an event has named the post's former attempt. */
const planned = (post: Post, line: Line, offer: Offer, known = false): PostMove => {
  const expected = expectedViews(line);
  return moved(
    post,
    {
      booked: true,
      attempt: offer.attempt,
      creator_id: offer.creator_id,
      scheduled_date: offer.scheduled_date,
      expected_views: expected.expected_views,
      engagement_rate: expected.engagement_rate,
      views_high: expected.views_high,
      status: 'booked',
      blocked_reason: null,
      missing_at: missingAt(offer.scheduled_date),
      remedy_at: null,
      window_end: line.signed?.launch_window_end ?? post.window_end ?? null,
      plan: post.sandbox ? planOf(randomKeyOf({ ...post, attempt: offer.attempt }), offer) : null,
    },
    known || post.status !== 'booked',
  );
};

/** A creator who books on the day itself posts no earlier than the booking. */
const planOf = (key: RandomKey, offer: Offer): PostPlan => {
  const when = posting(key);
  const wanted = when === 'never' ? null : postingAt(key, offer.scheduled_date, when);
  const live_at = wanted !== null && offer.booked_at !== null && offer.booked_at > wanted ? offer.booked_at : wanted;
  return { live_at, disclosing: disclosing(key), ...deleting(key) };
};

const blank = (line: Line, offer: Offer): Post => ({
  _id: line._id,
  ws: line.ws,
  sandbox: line.sandbox,
  order_id: line.order_id,
  plan_id: line.plan_id,
  campaign_id: line.campaign_id,
  campaign_number: line.campaign_number,
  ...(line.seed === undefined ? {} : { seed: line.seed }),
  number: line.number,
  attempt: offer.attempt,
  creator_id: offer.creator_id,
  scheduled_date: offer.scheduled_date,
  expected_views: null,
  engagement_rate: null,
  booked: false,
  status: 'booked',
  blocked_reason: null,
  stopped: false,
  plan: null,
  missing_at: null,
  post_id: null,
  proof_url: null,
  published_at: null,
  disclosure: null,
  disclosure_at: null,
  reading_at: null,
  gone_due_at: null,
  gone_at: null,
  window_end: line.signed?.launch_window_end ?? null,
  remedy: null,
  figures: NO_FIGURES,
  due_at: null,
  version: 0,
  rev: 0,
});

export const replan = (post: Post, plan: PostPlan): PostMove => moved(post, { plan }, false);

/** When a post that sandbox_line_post plans goes live, `now` at the earliest; null for never. */
export const liveAtFor = (post: Post, when: 'now' | 'on_time' | 'late' | 'never', now: Date): Date | null => {
  if (when === 'never') return null;
  if (when === 'now') return now;
  const wanted = postingAt(randomKeyOf(post), post.scheduled_date, when);
  return wanted < now ? now : wanted;
};

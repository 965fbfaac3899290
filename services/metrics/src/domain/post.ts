// The post of a booked line, from its booking to its last reading (domain 3-orders 10.1, 12, 13, 15).
import { DEFAULT_SEED, type RandomKey } from '@cds/service/seeded-random';
import { DAY_MS, DISCLOSED_LATER_MS, LATE_DAYS, SANDBOX_DISCLOSURE } from './constants.js';
import { expectedViews, isOver, type Line, type Offer } from './line.js';
import { type Disclosing, disclosing, metricsAt, posting, postingAt } from './persona.js';
import { type Figures, figuresOf, NO_FIGURES, nextReadingAt, type Reading } from './reading.js';

/** What a sandbox creator is going to do with its post; `live_at` null: it never posts. */
export type PostPlan = { live_at: Date | null; disclosing: Disclosing; gone_after_ms: number | null };

/** The post of one line. Instants are Dates. */
export type Post = {
  /** The line's id. */
  _id: string;
  ws: string;
  sandbox: boolean;
  order_id: string;
  plan_id: string;
  campaign_id: string;
  campaign_number: number;
  number: number;
  attempt: number;
  creator_id: string;
  scheduled_date: string;
  expected_views: number | null;
  engagement_rate: number | null;
  /** Whether the line is booked now; an unbooked one waits for nothing. */
  booked: boolean;
  status: 'booked' | 'live' | 'blocked' | 'completed';
  blocked_reason: 'post_missing' | 'post_gone' | null;
  /** The line or its order has ended: nothing more is due. */
  stopped: boolean;
  plan: PostPlan | null;
  missing_at: Date | null;
  post_id: string | null;
  proof_url: string | null;
  published_at: Date | null;
  disclosure: string | null;
  disclosure_at: Date | null;
  /** The next reading that the sandbox makes by itself. */
  reading_at: Date | null;
  gone_due_at: Date | null;
  gone_at: Date | null;
  figures: Figures;
  /** The earliest due fact, null when nothing is to come. */
  due_at: Date | null;
  /** Version of the newest post.changed. */
  version: number;
  rev: number;
};

/** A post after a change; `told` when others are to hear of it. */
export type PostMove = { post: Post; told: boolean };

export type PostDueKind = 'post' | 'post_gone' | 'disclosure' | 'reading' | 'post_missing';
export type PostDue = { kind: PostDueKind; at: Date };

export const randomKeyOf = (post: Pick<Post, 'campaign_number' | 'number' | 'attempt'>): RandomKey => ({
  seed: DEFAULT_SEED,
  campaignNumber: post.campaign_number,
  lineNumber: post.number,
  attempt: post.attempt,
});

const factsOf = (post: Post): { kind: PostDueKind; at: Date | null | undefined }[] => {
  if (post.stopped || post.gone_at !== null) return [];
  switch (post.status) {
    case 'booked':
      return [
        { kind: 'post', at: post.plan?.live_at },
        { kind: 'post_missing', at: post.missing_at },
      ];
    case 'blocked':
      return [{ kind: 'post', at: post.plan?.live_at }];
    case 'live':
    case 'completed':
      return [
        { kind: 'post_gone', at: post.gone_due_at },
        { kind: 'disclosure', at: post.disclosure_at },
        { kind: 'reading', at: post.reading_at },
      ];
  }
};

/** What is still to happen to a post, earliest first; at one instant a post that is gone is not read any more. */
export const dueFactsOf = (post: Post): PostDue[] =>
  factsOf(post)
    .flatMap(({ kind, at }) => (at instanceof Date ? [{ kind, at }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());

const moved = (post: Post, change: Partial<Post>, told: boolean): PostMove => {
  const next = { ...post, ...change, rev: post.rev + 1, version: post.version + (told ? 1 : 0) };
  return { post: { ...next, due_at: dueFactsOf(next)[0]?.at ?? null }, told };
};

/** Midnight after the third full day past a date: a line without a post is then blocked (domain 3-orders 10.1). */
export const missingAt = (date: string): Date =>
  new Date(Date.parse(`${date}T00:00:00.000Z`) + (LATE_DAYS + 1) * DAY_MS);

/**
 * The post of a line after what is known of the line has changed; null when nothing about it changes. A booking, or
 * another day or creator for a post that is not up, plans it anew; the end of line or order stops it.
 */
export const followLine = (before: Post | null, line: Line): PostMove | null => {
  const { offer } = line;
  if (before === null) return offer?.booked === true && !isOver(line) ? planned(blank(line, offer), line, offer) : null;
  if (isOver(line)) return before.stopped ? null : moved(before, { stopped: true }, false);
  if (offer === null || before.published_at !== null) return null;
  if (!offer.booked) {
    return before.booked ? moved(before, { booked: false, plan: null, missing_at: null }, false) : null;
  }
  const same =
    before.booked &&
    before.attempt === offer.attempt &&
    before.creator_id === offer.creator_id &&
    before.scheduled_date === offer.scheduled_date;
  return same ? null : planned(before, line, offer);
};

const planned = (post: Post, line: Line, offer: Offer): PostMove => {
  const expected = expectedViews(line);
  const standing = { ...post, attempt: offer.attempt };
  return moved(
    post,
    {
      booked: true,
      attempt: offer.attempt,
      creator_id: offer.creator_id,
      scheduled_date: offer.scheduled_date,
      expected_views: expected.expected_views,
      engagement_rate: expected.engagement_rate,
      status: 'booked',
      blocked_reason: null,
      missing_at: missingAt(offer.scheduled_date),
      plan: post.sandbox ? planOf(randomKeyOf(standing), offer) : null,
    },
    post.status === 'blocked',
  );
};

/** A creator that books on the very day posts no earlier than it has booked. */
const planOf = (key: RandomKey, offer: Offer): PostPlan => {
  const when = posting(key);
  const wanted = when === 'never' ? null : postingAt(key, offer.scheduled_date, when);
  const live_at = wanted !== null && offer.booked_at !== null && offer.booked_at > wanted ? offer.booked_at : wanted;
  return { live_at, disclosing: disclosing(key), gone_after_ms: null };
};

const blank = (line: Line, offer: Offer): Post => ({
  _id: line._id,
  ws: line.ws,
  sandbox: line.sandbox,
  order_id: line.order_id,
  plan_id: line.plan_id,
  campaign_id: line.campaign_id,
  campaign_number: line.campaign_number,
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
  figures: NO_FIGURES,
  due_at: null,
  version: 0,
  rev: 0,
});

/** Whether a post can still be made for the line: booked, or given up as missing (domain 3-orders 10.1). */
export const awaitsPost = (post: Post): boolean =>
  post.booked &&
  !post.stopped &&
  (post.status === 'booked' || (post.status === 'blocked' && post.blocked_reason === 'post_missing'));

/** The post as a person of the brand plans it in the sandbox; what it does once live goes by the plan. */
export const replan = (post: Post, plan: PostPlan): PostMove => moved(post, { plan }, false);

/** The instant at which a post goes live when it is told to, at the earliest `now`; null: never. */
export const liveAtFor = (post: Post, when: 'now' | 'on_time' | 'late' | 'never', now: Date): Date | null => {
  if (when === 'never') return null;
  if (when === 'now') return now;
  const wanted = postingAt(randomKeyOf(post), post.scheduled_date, when);
  return wanted < now ? now : wanted;
};

/** A sandbox post goes live at `at` under the creator's profile; its plan becomes due facts. */
export const goLive = (
  post: Post,
  at: Date,
  { postId, profileUrl }: { postId: string; profileUrl: string },
): PostMove => {
  const plan = post.plan ?? { disclosing: 'now' as const, gone_after_ms: null };
  return moved(
    post,
    {
      status: 'live',
      blocked_reason: null,
      post_id: postId,
      proof_url: `${profileUrl}/status/${postId}`,
      published_at: at,
      plan: null,
      missing_at: null,
      disclosure: plan.disclosing === 'now' ? SANDBOX_DISCLOSURE : null,
      disclosure_at: plan.disclosing === 'late' ? new Date(at.getTime() + DISCLOSED_LATER_MS) : null,
      reading_at: nextReadingAt(at, null),
      gone_due_at: plan.gone_after_ms === null ? null : new Date(at.getTime() + plan.gone_after_ms),
    },
    true,
  );
};

/** The post after a due fact that needs neither a reveal nor a reading. */
export const afterDue = (post: Post, kind: 'post_gone' | 'disclosure' | 'post_missing', at: Date): PostMove => {
  switch (kind) {
    case 'disclosure':
      return moved(post, { disclosure: SANDBOX_DISCLOSURE, disclosure_at: null }, false);
    case 'post_missing':
      return moved(post, { status: 'blocked', blocked_reason: 'post_missing', missing_at: null }, true);
    case 'post_gone':
      // A completed line is not touched: its proof stands (domain 3-orders 12).
      return post.status === 'completed'
        ? moved(post, { gone_at: at, reading_at: null }, false)
        : moved(post, { gone_at: at, reading_at: null, status: 'blocked', blocked_reason: 'post_gone' }, true);
  }
};

/** The reading that a sandbox makes at a due point. */
export const sandboxReading = (post: Post, publishedAt: Date, at: Date, id: string): Reading => ({
  _id: id,
  ws: post.ws,
  line_id: post._id,
  captured_at: at,
  ...metricsAt(randomKeyOf(post), at.getTime() - publishedAt.getTime(), post),
  source: 'sandbox',
});

/** The post after its readings grew to `readings`; the first one at or after seven days completes the line (I61). */
export const withReadings = (post: Post, publishedAt: Date, readings: readonly Reading[]): PostMove => {
  const figures = figuresOf(publishedAt, readings);
  const completes = figures.still_up !== null && post.status === 'live';
  const reading_at = post.sandbox ? nextReadingAt(publishedAt, figures.latest?.captured_at ?? null) : null;
  return moved(post, { figures, reading_at, status: completes ? 'completed' : post.status }, completes);
};

import type { CreditCause, DueFactKind, IntegrityKind } from '@cds/contracts';
import { DEFAULT_SEED, type RandomKey } from '@cds/service/seeded-random';
import { type Claim, openClaim } from './claim.js';
import { DAY_MS, LATE_DAYS, STILL_UP_MS } from './constants.js';
import type { Disclosing } from './persona.js';
import type { Figures } from './reading.js';

/** The newest entry of a line's chain, on its post. Kind and time are absent in posts of older releases. */
export type IntegrityHead = { seq: number; hash: string; kind?: IntegrityKind; at?: Date };

/** What a sandbox creator will do with its post; `live_at` null never makes it. Absent fields are null, or accepted. */
export type PostPlan = {
  live_at: Date | null;
  disclosing: Disclosing;
  gone_after_ms: number | null;
  back_after_ms?: number | null;
  verdict?: 'accepted' | 'rejected';
};

export type BlockedReason = 'post_missing' | 'post_gone' | 'no_disclosure';

export type Remedy = {
  id: string;
  kind: 'replace' | 'credit';
  cause: CreditCause;
  amount_cents: number | null;
  at: Date;
};

export type Post = {
  _id: string;
  ws: string;
  sandbox: boolean;
  order_id: string;
  plan_id: string;
  campaign_id: string;
  campaign_number: number;
  /** The seed of its sandbox's creators, where it is not the first one. */
  seed?: number;
  number: number;
  attempt: number;
  creator_id: string;
  scheduled_date: string;
  expected_views: number | null;
  engagement_rate: number | null;
  /** Absent in posts of older releases. */
  views_high?: number | null;
  booked: boolean;
  status: 'booked' | 'live' | 'blocked' | 'completed';
  blocked_reason: BlockedReason | null;
  /** The line or its order has ended, so nothing more is due but the decision of an open claim. */
  stopped: boolean;
  plan: PostPlan | null;
  missing_at: Date | null;
  post_id: string | null;
  proof_url: string | null;
  published_at: Date | null;
  disclosure: string | null;
  disclosure_at: Date | null;
  reading_at: Date | null;
  reading_asked_at?: Date | null;
  gone_due_at: Date | null;
  gone_at: Date | null;
  /** The last day of the launch window; absent in posts of older releases, as are the next fields. */
  window_end?: string | null;
  look_at?: Date | null;
  verdict?: 'accepted' | 'rejected';
  undisclosed_at?: Date | null;
  /** The end of the time to disclose it, which its creator cannot begin again by submitting the same post. */
  disclose_by?: Date | null;
  back_after_ms?: number | null;
  back_at?: Date | null;
  content?: { text: string; media_ids: string[] } | null;
  inflated_by?: number;
  /** The end of its line's chain of what was seen; kept over attempts. */
  integrity?: IntegrityHead | null;
  claims?: Claim[];
  remedy_at?: Date | null;
  remedy?: Remedy | null;
  figures: Figures;
  /** Version of the newest reading.taken; absent before the first. */
  readings_version?: number;
  due_at: Date | null;
  version: number;
  rev: number;
};

export type PostMove = { post: Post; emits: boolean };

/** A sandbox lists all of these but `reading_due`, which asks the team of a live workspace. */
export type PostDueKind =
  | 'reading_due'
  | Extract<
      DueFactKind,
      | 'post'
      | 'post_look'
      | 'post_gone'
      | 'post_back'
      | 'disclosure'
      | 'no_disclosure'
      | 'reading'
      | 'post_missing'
      | 'remedy'
      | 'claim'
    >;
export type PostDue = { kind: PostDueKind; at: Date };

/** Midnight after the third full day past a date (docs/domain/orders.md#line-status). */
export const missingAt = (date: string): Date =>
  new Date(Date.parse(`${date}T00:00:00.000Z`) + (LATE_DAYS + 1) * DAY_MS);

export const randomKeyOf = (post: Pick<Post, 'seed' | 'campaign_number' | 'number' | 'attempt'>): RandomKey => ({
  seed: post.seed ?? DEFAULT_SEED,
  campaignNumber: post.campaign_number,
  lineNumber: post.number,
  attempt: post.attempt,
});

const factsOf = (post: Post): { kind: PostDueKind; at: Date | null | undefined }[] => [
  ...stateFactsOf(post),
  { kind: 'claim', at: openClaim(post)?.played_at },
];

const stateFactsOf = (post: Post): { kind: PostDueKind; at: Date | null | undefined }[] => {
  if (post.stopped || (post.remedy != null && post.status !== 'completed')) return [];
  if (post.gone_at !== null)
    return post.status === 'blocked'
      ? [
          { kind: 'post_back', at: post.back_at },
          { kind: 'remedy', at: post.remedy_at },
        ]
      : [];
  switch (post.status) {
    case 'booked':
      return [
        { kind: 'post', at: post.plan?.live_at },
        { kind: 'post_missing', at: post.missing_at },
      ];
    case 'blocked':
      return [
        { kind: 'post', at: post.plan?.live_at },
        { kind: 'post_gone', at: post.gone_due_at },
        { kind: 'disclosure', at: post.disclosure_at },
        { kind: 'remedy', at: post.remedy_at },
      ];
    case 'live':
    case 'completed':
      return [
        { kind: 'post_look', at: post.look_at },
        { kind: 'post_gone', at: post.gone_due_at },
        { kind: 'disclosure', at: post.disclosure_at },
        { kind: 'no_disclosure', at: post.undisclosed_at },
        { kind: 'reading', at: post.reading_at },
        { kind: 'reading_due', at: readingDueAt(post) },
      ];
  }
};

const readingDueAt = ({ sandbox, status, published_at, reading_asked_at }: Post): Date | null =>
  sandbox || status !== 'live' || published_at === null || reading_asked_at != null
    ? null
    : new Date(published_at.getTime() + STILL_UP_MS);

export const dueFactsOf = (post: Post): PostDue[] =>
  factsOf(post)
    .flatMap(({ kind, at }) => (at instanceof Date ? [{ kind, at }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());

export const moved = (post: Post, change: Partial<Post>, emits: boolean): PostMove => {
  const next = { ...post, ...change, rev: post.rev + 1, version: post.version + (emits ? 1 : 0) };
  return { post: { ...next, due_at: dueFactsOf(next)[0]?.at ?? null }, emits };
};

export const asOne = (before: Post, post: Post, emits: boolean): PostMove => ({
  post: { ...post, version: before.version + (emits ? 1 : 0) },
  emits,
});

/** Whether proof and results list a post: neither one that was gone before its proof, nor a former creator's. */
export const isListed = ({ booked, published_at, gone_at, figures }: Post): boolean =>
  booked && published_at !== null && (gone_at === null || figures.still_up !== null);

export const isUnderWay = (post: Post): boolean => post.booked && !post.stopped && post.remedy == null;

export const isWatched = (post: Post): boolean =>
  isUnderWay(post) || (post.booked && !post.stopped && post.status === 'completed');

export const awaitsPost = (post: Post): boolean =>
  isUnderWay(post) &&
  (post.status === 'booked' || (post.status === 'blocked' && post.blocked_reason === 'post_missing'));

/** Any post while the line awaits one; only the same one while that is up without its disclosure. */
export const submissionOf = (post: Post): 'any' | 'same' | 'none' => {
  if (!isUnderWay(post)) return 'none';
  if (post.status === 'booked' || post.status === 'blocked') return 'any';
  return post.status === 'live' && post.undisclosed_at != null ? 'same' : 'none';
};

import { DEFAULT_SEED, type RandomKey } from '@cds/service/seeded-random';
import type { Disclosing } from './persona.js';
import type { Figures } from './reading.js';

// The post of a booked line and its due facts (docs/domain/orders.md#line-status, docs/domain/orders.md#proof,
// docs/domain/orders.md#results, docs/domain/orders.md#clock-jobs).

/** What a sandbox creator will do with its post; it never posts when `live_at` is null. */
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
  /** Whether the line is booked now; an unbooked one has nothing due. */
  booked: boolean;
  status: 'booked' | 'live' | 'blocked' | 'completed';
  blocked_reason: 'post_missing' | 'post_gone' | null;
  /** The line or its order has ended, so nothing more is due. */
  stopped: boolean;
  plan: PostPlan | null;
  missing_at: Date | null;
  post_id: string | null;
  proof_url: string | null;
  published_at: Date | null;
  disclosure: string | null;
  disclosure_at: Date | null;
  /** When the sandbox makes its next reading. */
  reading_at: Date | null;
  gone_due_at: Date | null;
  gone_at: Date | null;
  figures: Figures;
  /** The earliest due fact; null when nothing more will happen. */
  due_at: Date | null;
  /** Version of the newest post.changed. */
  version: number;
  rev: number;
};

/** A post after a change, and whether the change emits an event. */
export type PostMove = { post: Post; emits: boolean };

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

/** What will still happen to a post, earliest first; a post that goes is not read at the same instant. */
export const dueFactsOf = (post: Post): PostDue[] =>
  factsOf(post)
    .flatMap(({ kind, at }) => (at instanceof Date ? [{ kind, at }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());

/** The post after a change; one that emits an event gets a new version. */
export const moved = (post: Post, change: Partial<Post>, emits: boolean): PostMove => {
  const next = { ...post, ...change, rev: post.rev + 1, version: post.version + (emits ? 1 : 0) };
  return { post: { ...next, due_at: dueFactsOf(next)[0]?.at ?? null }, emits };
};

/**
 * Whether a post can still be made for the line: it is booked, or blocked as missing
 * (docs/domain/orders.md#line-status).
 */
export const awaitsPost = (post: Post): boolean =>
  post.booked &&
  !post.stopped &&
  (post.status === 'booked' || (post.status === 'blocked' && post.blocked_reason === 'post_missing'));

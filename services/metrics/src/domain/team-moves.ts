// What the operator's team decides about a post (docs/domain/orders.md#proof, docs/domain/orders.md#remedies).
import { asOne, type BlockedReason, isUnderWay, type Post, type PostMove } from './post.js';
import { askedToRepost, disclosed, lookedAt, remedied } from './post-moves.js';

export type Look = { verdict: 'accepted' | 'rejected'; disclosure?: string | null | undefined };

export const afterLook = (post: Post, { verdict, disclosure }: Look, at: Date): PostMove | null => {
  const up = isUnderWay(post) && post.published_at !== null && post.gone_at === null;
  if (!up || (verdict === 'rejected' && post.status !== 'live')) return null;
  const seen = disclosure == null ? null : disclosed(post, disclosure, at);
  // What the creator says about the post counts until somebody looks.
  const found = seen?.post ?? (disclosure === null ? { ...post, disclosure } : post);
  const looked = lookedAt(found, verdict, at);
  return asOne(post, looked.post, looked.emits || seen?.emits === true || found.disclosure !== post.disclosure);
};

export type TeamRemedy = { remedy: 'repost' | 'replace' | 'credit'; amount_cents: number | null };

/** Null where nothing makes up for it: the line is not booked, its post is proved, or it has its remedy. */
export const afterTeamRemedy = (post: Post, { remedy, amount_cents }: TeamRemedy, at: Date): PostMove | null => {
  if (!isUnderWay(post) || post.status === 'completed') return null;
  const reason = reasonOf(post);
  if (remedy === 'repost') return askedToRepost(post, reason, at);
  const gone_at = reason === 'post_gone' ? (post.gone_at ?? at) : post.gone_at;
  const blocked: Post = { ...post, gone_at, status: 'blocked', blocked_reason: reason };
  return remedied(blocked, { kind: remedy, cause: reason, amount_cents }, at);
};

/** A post that was asked for its disclosure is up, so what it lacks is that. */
const reasonOf = ({ blocked_reason, published_at, undisclosed_at }: Post): BlockedReason => {
  if (blocked_reason !== null) return blocked_reason;
  if (published_at === null) return 'post_missing';
  return undisclosed_at == null ? 'post_gone' : 'no_disclosure';
};

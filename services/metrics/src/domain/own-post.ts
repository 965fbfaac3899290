import type { PostAct, PostNeed } from '@cds/contracts';
import { isUnderWay, type Post, submissionOf } from './post.js';

export type Needs = { what: PostNeed; by: Date | null };

export const needsOf = (post: Post): Needs | null => {
  if (!isUnderWay(post)) return null;
  if (post.status === 'booked') return { what: 'post', by: post.missing_at };
  if (post.status === 'live')
    return post.undisclosed_at == null ? null : { what: 'disclosure', by: post.undisclosed_at };
  if (post.status === 'completed') return null;
  const by = post.remedy_at ?? null;
  if (post.blocked_reason === 'post_gone') return { what: 'repost', by };
  return { what: post.blocked_reason === 'no_disclosure' ? 'disclosure' : 'post', by };
};

/** `post` also while the post shows no disclosure yet, `analytics` while it is up. */
export const postActsOf = (post: Post): PostAct[] => [
  ...(submissionOf(post) === 'none' ? [] : (['post'] as const)),
  ...(isUp(post) ? (['analytics'] as const) : []),
];

const isUp = (post: Post): boolean =>
  post.published_at !== null && post.gone_at === null && post.booked && !post.stopped && post.status !== 'blocked';

const MARKS: readonly { pattern: RegExp; shown: (match: string) => string }[] = [
  { pattern: /#ad(?![\p{L}\p{N}_])/iu, shown: () => '#ad' },
  { pattern: /#sponsored(?![\p{L}\p{N}_])/iu, shown: () => '#sponsored' },
  { pattern: /paid partnership with \S.*/iu, shown: (match) => `Paid${match.slice('paid'.length)}` },
];

/** A label is what the team sees on the post, not what its creator says (docs/domain/orders.md#proof). */
export const ownDisclosure = (text: string): string | null => {
  for (const { pattern, shown } of MARKS) {
    const [match] = pattern.exec(text) ?? [];
    if (match !== undefined) return shown(match.trim());
  }
  return null;
};

// What the fake network of a sandbox does to its posts, and what it counts (docs/domain/orders.md#integrity).
import { DISCLOSE_WITHIN_MS } from './constants.js';
import { metricsAt } from './persona.js';
import { isWatched, moved, type Post, type PostMove, randomKeyOf } from './post.js';
import { back, gone } from './post-moves.js';
import { type Metrics, nextReadingAt, type Reading, readingOf } from './reading.js';
import { sandboxContent } from './sandbox-content.js';

export type PostChange = 'edit' | 'delete' | 'restore' | 'hide_disclosure' | 'inflate';

const INFLATED_BY = 20;
const INFLATED_MOST = INFLATED_BY ** 3;

/** Null when the post cannot change so, or nobody watches it any more. */
export const changedBy = (post: Post, change: PostChange, at: Date): PostMove | null => {
  if (!isWatched(post)) return null;
  const up = post.published_at !== null && post.gone_at === null;
  switch (change) {
    case 'edit': {
      const version = Number(/version (\d+)/.exec(post.content?.text ?? '')?.[1] ?? 1) + 1;
      return up ? moved(post, { content: sandboxContent(post.post_id ?? '', version) }, true) : null;
    }
    case 'delete':
      return up ? gone({ ...post, back_after_ms: null }, at) : null;
    case 'restore':
      return post.gone_at !== null ? restored(post, at) : null;
    case 'hide_disclosure':
      return up && post.disclosure !== null
        ? moved(
            post,
            {
              disclosure: null,
              disclosure_at: null,
              undisclosed_at: post.status === 'live' ? new Date(at.getTime() + DISCLOSE_WITHIN_MS) : null,
              disclose_by: null,
            },
            true,
          )
        : null;
    case 'inflate': {
      const by = (post.inflated_by ?? 1) * INFLATED_BY;
      return up && by <= INFLATED_MOST ? moved(post, { inflated_by: by }, true) : null;
    }
  }
};

/** A completed post that is up again is only seen again; any other continues as before it went. */
const restored = (post: Post, at: Date): PostMove =>
  post.status === 'completed'
    ? moved(post, { gone_at: null, reading_at: nextReadingAt(post.published_at ?? at, at) }, true)
    : back(post, at);

/** Bought views bring no engagement. */
const inflated = (metrics: Metrics, by: number): Metrics =>
  by === 1 || metrics.views === null ? metrics : { ...metrics, views: metrics.views * by };

export const sandboxReading = (post: Post, publishedAt: Date, at: Date, id: string): Reading => {
  const counted = metricsAt(randomKeyOf(post), at.getTime() - publishedAt.getTime(), post);
  return readingOf(post, at, inflated(counted, post.inflated_by ?? 1), 'sandbox', id);
};

import { conflict, unavailable, unprocessable } from '@cds/contracts';
import type { Client, Ctx } from '@cds/service';
import type { Line } from '../domain/line.js';
import { type Post, type PostMove, submissionOf } from '../domain/post.js';
import { submitted } from '../domain/post-moves.js';
import { madeAt, postAddress, readPostUrl, submissionProblems } from '../domain/submission.js';
import type { Lines } from '../store/lines.js';
import type { Posts } from '../store/posts.js';

export type SubmitDeps = { lines: Lines; posts: Posts; calls: Client<'identity_reveal'> };

/**
 * Raises conflict (bad_state) when the line awaits no post, and unprocessable for an address that does not fit;
 * `forced` lets handle and time pass. Source: docs/domain/orders.md#proof.
 */
export const submission = async (
  ctx: Ctx,
  before: Post,
  of: { url: string; disclosure: string | null; now: Date; forced: boolean },
  deps: SubmitDeps,
): Promise<PostMove> => {
  const may = submissionOf(before);
  if (may === 'none')
    throw conflict('bad_state', 'This line awaits no post: it is not booked, its post is live, or it has its remedy.', {
      status: before.status,
    });
  const url = readPostUrl(of.url);
  if (url === null)
    throw unprocessable([
      { field: 'url', message: 'must be the address of a post, as in https://x.com/{handle}/status/{digits}' },
    ]);
  if (may === 'same' && url.postId !== before.post_id)
    throw unprocessable([
      { field: 'url', message: `must be the post that is live, ${before.proof_url}: it lacks only its disclosure` },
    ]);
  const line = await deps.lines.byId(before.ws, before._id);
  const handle = await handleOf(ctx, before, deps.calls);
  const problems = of.forced || line === null ? [] : submissionProblems(url, factsOf(line, before, handle, of.now));
  if (problems.length > 0) throw unprocessable(problems);
  if (await deps.posts.isTaken(url.postId, before._id))
    throw unprocessable([{ field: 'url', message: 'must be a post that proves no other line; this one does' }]);

  return submitted(before, of.now, {
    postId: url.postId,
    url: postAddress(handle, url.postId),
    publishedAt: madeAt(url.postId),
    disclosure: of.disclosure,
  });
};

const factsOf = ({ signed }: Line, post: Post, handle: string, now: Date) => ({
  handle,
  paidAt: signed?.paid_at ?? new Date(0),
  windowStart: signed?.launch_window_start ?? post.scheduled_date,
  windowEnd: signed?.launch_window_end ?? post.scheduled_date,
  agreedDate: post.scheduled_date,
  now,
});

const handleOf = async (ctx: Ctx, post: Post, calls: Client<'identity_reveal'>): Promise<string> => {
  const { creators } = await calls.identity_reveal(ctx, { order_id: post.order_id, creator_ids: [post.creator_id] });
  const handle = creators.find((one) => one.creator_id === post.creator_id)?.handle;
  if (handle === undefined) throw unavailable('The payment is still propagating. Retry in a moment.');
  return handle;
};

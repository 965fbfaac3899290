import { conflict, type Input, unprocessable } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import type { BlockedReason, Post, PostMove } from '../domain/post.js';
import { askedToRepost, remedied } from '../domain/post-moves.js';
import { type OperatedPostDeps, operatedChange, operatedPost } from './operated-post.js';

/**
 * Decides what makes up for a post that is missing, removed or not disclosed. Raises not_found, unprocessable
 * (amount_cents), conflict (bad_state). Source: docs/domain/orders.md#remedies.
 */
export const opsLineGone: WriteHandler<'ops_line_gone', OperatedPostDeps> = async (ctx, input, deps) => {
  const { before, now } = await operatedPost(input.id, deps);
  if (!before.booked || before.stopped || before.remedy != null || before.status === 'completed')
    throw conflict('bad_state', 'This line is not booked, is proved already, or has its remedy.', {
      status: before.status,
    });
  if (input.amount_cents !== undefined && input.remedy !== 'credit')
    throw unprocessable([{ field: 'amount_cents', message: 'goes only with remedy credit' }]);

  const move = decided(before, input, now);

  const payload = { remedy: input.remedy, amount_cents: input.amount_cents ?? null };
  return operatedChange(ctx, { before, move, now, action: 'post.remedy', reason: input.reason, payload }, deps);
};

const decided = (before: Post, { remedy, amount_cents }: Input<'ops_line_gone'>, now: Date): PostMove => {
  const reason = reasonOf(before);
  if (remedy === 'repost') return askedToRepost(before, reason, now);
  const gone = before.published_at === null ? before : { ...before, gone_at: before.gone_at ?? now };
  const blocked: Post = { ...gone, status: 'blocked', blocked_reason: reason };
  return remedied(blocked, { kind: remedy, cause: reason, amount_cents: amount_cents ?? null }, now);
};

const reasonOf = ({ blocked_reason, published_at }: Post): BlockedReason =>
  blocked_reason ?? (published_at === null ? 'post_missing' : 'post_gone');

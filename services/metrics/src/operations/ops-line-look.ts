import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { disclosed, lookedAt } from '../domain/post-moves.js';
import { type OperatedPostDeps, operatedChange, operatedPost } from './operated-post.js';

/**
 * Notes what a look at a post found. Raises not_found, conflict (bad_state). Source: docs/domain/orders.md#proof.
 */
export const opsLineLook: WriteHandler<'ops_line_look', OperatedPostDeps> = async (ctx, input, deps) => {
  const { before, now } = await operatedPost(input.id, deps);
  const up = before.published_at !== null && before.gone_at === null && !before.stopped && before.remedy == null;
  const may = input.verdict === 'accepted' ? up : up && before.status === 'live';
  if (!may)
    throw conflict('bad_state', 'Only a post that is up can be looked at, and only a live one rejected.', {
      status: before.status,
    });

  const seen = input.disclosure === undefined ? null : disclosed(before, input.disclosure, now);
  const looked = lookedAt(seen?.post ?? before, input.verdict, now);
  const move = { post: looked.post, emits: looked.emits || seen?.emits === true };

  const payload = { verdict: input.verdict };
  return operatedChange(ctx, { before, move, now, action: 'post.look', reason: input.reason, payload }, deps);
};

import { type Client, systemContext, type WriteHandler } from '@cds/service';
import type { Lines } from '../store/lines.js';
import { type OperatedPostDeps, operatedChange, operatedPost } from './operated-post.js';
import { submission } from './submit-post.js';

type Deps = OperatedPostDeps & { lines: Lines; calls: Client<'identity_reveal'> };

/** Raises not_found, unprocessable (url), conflict (bad_state). Source: docs/domain/orders.md#proof. */
export const opsLinePost: WriteHandler<'ops_line_post', Deps> = async (ctx, input, deps) => {
  const { before, now } = await operatedPost(input.id, deps);
  const { ws, sandbox } = before;
  const inside = {
    ...systemContext({ workspace: ws, sandbox, now, networkNow: ctx.networkNow }),
    deadline: ctx.deadline,
  };
  const forced = input.force_note !== undefined;

  const move = await submission(inside, before, { ...input, disclosure: input.disclosure ?? null, now, forced }, deps);

  const payload = { post_id: move.post.post_id, force_note: input.force_note ?? null };
  return operatedChange(ctx, { before, move, now, action: 'post.submit', reason: input.reason, payload }, deps);
};

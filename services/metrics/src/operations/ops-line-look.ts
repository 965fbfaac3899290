import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { afterLook } from '../domain/team-moves.js';
import { type OperatedPostDeps, operatedChange, operatedPost } from './operated-post.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/orders.md#proof. */
export const opsLineLook: WriteHandler<'ops_line_look', OperatedPostDeps> = async (ctx, input, deps) => {
  const { before, now } = await operatedPost(input.id, deps);
  const { verdict, disclosure } = input;

  const move = afterLook(before, { verdict, disclosure }, now);
  if (move === null)
    throw conflict('bad_state', 'Only a post that is up can be looked at, and only a live one rejected.', {
      status: before.status,
    });

  const payload = { verdict, ...(disclosure === undefined ? {} : { disclosed: disclosure !== null }) };
  return operatedChange(ctx, { before, move, now, action: 'post.look', reason: input.reason, payload }, deps);
};

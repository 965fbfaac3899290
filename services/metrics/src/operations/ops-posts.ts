import { conflict, unprocessable } from '@cds/contracts';
import { type Client, listed, type ReadHandler, systemContext, type WriteHandler } from '@cds/service';
import { amountProblem } from '../domain/line.js';
import { afterLook, afterTeamRemedy } from '../domain/team-moves.js';
import { presentOpsPost } from '../present/ops-post.js';
import type { Lines } from '../store/lines.js';
import type { Posts } from '../store/posts.js';
import { type OperatedPostDeps, operatedChange, operatedPost } from './operated-post.js';
import { submission } from './submit-post.js';

/** Raises not_found, unprocessable (amount_cents), conflict (bad_state). Source: docs/domain/orders.md#remedies. */
export const opsLineGone: WriteHandler<'ops_line_gone', OperatedPostDeps & { lines: Lines }> = async (
  ctx,
  input,
  deps,
) => {
  const { before, now } = await operatedPost(input.id, deps);
  const { remedy, amount_cents = null } = input;
  if (amount_cents !== null && remedy !== 'credit')
    throw unprocessable([{ field: 'amount_cents', message: 'goes only with remedy credit' }]);
  if (amount_cents !== null) {
    const problem = amountProblem(await deps.lines.byId(before.ws, before._id), amount_cents);
    if (problem !== null) throw unprocessable([problem]);
  }

  const move = afterTeamRemedy(before, { remedy, amount_cents }, now);
  if (move === null)
    throw conflict('bad_state', 'This line is not booked, is proved already, or has its remedy.', {
      status: before.status,
    });

  const payload = { remedy, amount_cents };
  return operatedChange(ctx, { before, move, now, action: 'post.remedy', reason: input.reason, payload }, deps);
};

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

const NO_TIME = new Date(0);

/** In the order of the lines' ids. Raises bad_request (cursor). Source: docs/domain/operators.md#operators. */
export const opsPostsList: ReadHandler<'ops_posts_list', { posts: Posts }> = async (_ctx, input, { posts }) =>
  listed(input, {
    rows: (place, limit) =>
      posts.page({ status: input.status, ws: input.workspace }, place === null ? null : place.id, limit),
    placeOf: (post) => ({ at: NO_TIME, id: post._id }),
    present: presentOpsPost,
  });

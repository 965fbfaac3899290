import { randomUUID } from 'node:crypto';
import { conflict, notFound, unprocessable } from '@cds/contracts';
import { actorOf, type Clocks, change, listed, type ReadHandler, type WriteHandler } from '@cds/service';
import { newClaim, openClaim } from '../domain/claim.js';
import { amountProblem } from '../domain/line.js';
import { isUnderWay } from '../domain/post.js';
import { claimDecided, claimed, mayRemedy } from '../domain/post-moves.js';
import { taskEvents, taskOf } from '../domain/tasks.js';
import { presentDispute, presentOpsDispute } from '../present/dispute.js';
import { movedEvents } from '../present/post-changed.js';
import type { Lines } from '../store/lines.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';

type Deps = { lines: Lines; posts: Posts; writer: PostWriter };

/** Raises not_found, conflict (bad_state). Source: docs/domain/orders.md#claims. */
export const lineDispute: WriteHandler<'line_dispute', Deps> = async (ctx, input, { lines, posts, writer }) => {
  const ws = ctx.principal.workspace;
  const [line, before] = await Promise.all([lines.byId(ws, input.id), posts.byLine(ws, input.id)]);
  if (line === null) throw notFound('line');
  if (before === null || !isUnderWay(before))
    throw conflict('bad_state', 'A claim needs a line that is booked or has its post, without a remedy yet.', {
      status: before?.status ?? 'planned',
    });
  const open = openClaim(before);
  if (open !== null)
    throw conflict('bad_state', 'A claim on this line is open already. Wait for its decision.', {
      id: open.id,
      due_at: open.due_at.toISOString(),
    });

  const claim = newClaim(
    {
      id: randomUUID(),
      attempt: before.attempt,
      claim: input.claim,
      text: input.text,
      evidence: input.evidence ?? [],
      opened_by: actorOf(ctx),
    },
    ctx.now,
    before.sandbox,
  );
  const move = claimed(before, claim);
  return change(presentDispute(before._id, claim), {
    save: (tx) => writer.save(tx, before, move.post, ctx.now),
    events: [
      ...movedEvents(before, move, ctx.now),
      ...taskEvents(before.sandbox ? [] : [taskOf('claim_to_decide', before, ctx.now, claim.due_at)]),
    ],
    audit: [
      {
        ws,
        actor: actorOf(ctx),
        action: 'claim.open',
        object: before._id,
        payload: { claim_id: claim.id, claim: claim.claim },
      },
    ],
  });
};

/** Newest first. Raises not_found. Source: docs/domain/orders.md#claims. */
export const lineDisputes: ReadHandler<'line_disputes', { lines: Lines; posts: Posts }> = async (ctx, { id }, deps) => {
  const ws = ctx.principal.workspace;
  const [line, post] = await Promise.all([deps.lines.byId(ws, id), deps.posts.byLine(ws, id)]);
  if (line === null) throw notFound('line');
  return { items: (post?.claims ?? []).map((claim) => presentDispute(id, claim)).reverse() };
};

type DecideDeps = { lines: Lines; posts: Posts; writer: PostWriter; clocks: Pick<Clocks, 'now'> };

/** Raises not_found, unprocessable, conflict (bad_state). Source: docs/domain/orders.md#claims. */
export const opsDisputeDecide: WriteHandler<'ops_dispute_decide', DecideDeps> = async (ctx, input, deps) => {
  const before = await deps.posts.ofClaim(input.id);
  const claim = before?.claims?.find(({ id }) => id === input.id);
  if (before === null || claim === undefined) throw notFound('claim');
  if (claim.decided !== null)
    throw conflict('bad_state', 'This claim was decided already.', { remedy: claim.decided.remedy });
  if (input.amount_cents !== undefined && input.remedy !== 'credit')
    throw unprocessable([{ field: 'amount_cents', message: 'goes only with remedy credit' }]);
  if (input.amount_cents !== undefined) {
    const problem = amountProblem(await deps.lines.byId(before.ws, before._id), input.amount_cents);
    if (problem !== null) throw unprocessable([problem]);
  }
  if (input.remedy === 'makegood' && before.status === 'completed')
    throw unprocessable([
      { field: 'remedy', message: 'must be credit or none: the post of this line is proved, so nobody replaces it' },
    ]);
  if (input.remedy !== 'none' && !mayRemedy(before, claim))
    throw conflict('bad_state', 'The line has ended, has its remedy, or has another creator. Decide `none`.', {
      status: before.status,
    });

  const now = await deps.clocks.now(before.ws);
  const { remedy, reason } = input;
  const by = actorOf(ctx);
  const move = claimDecided(before, { remedy, amount_cents: input.amount_cents ?? null, reason, by }, now);

  const decided = move.post.claims?.find(({ id }) => id === input.id) ?? claim;
  return change(presentOpsDispute(move.post, decided), {
    save: (tx) => deps.writer.save(tx, before, move.post, now),
    events: movedEvents(before, move, now),
    audit: [
      {
        ws: before.ws,
        actor: by,
        action: 'claim.decide',
        object: before._id,
        reason,
        payload: { claim_id: claim.id, remedy, amount_cents: input.amount_cents ?? null },
      },
    ],
  });
};

const NO_TIME = new Date(0);

/** In the order of the lines' ids. Raises bad_request (cursor). Source: docs/domain/operators.md#operators. */
export const opsDisputesList: ReadHandler<'ops_disputes_list', { posts: Posts }> = async (_ctx, input, { posts }) =>
  listed(input, {
    rows: async (place, limit) => {
      const found = await posts.withOpenClaim(place === null ? null : place.id, limit);
      return found.flatMap((post) => {
        const claim = openClaim(post);
        return claim === null ? [] : [{ post, claim }];
      });
    },
    placeOf: ({ post }) => ({ at: NO_TIME, id: post._id }),
    present: ({ post, claim }) => presentOpsDispute(post, claim),
  });

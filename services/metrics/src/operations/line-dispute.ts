import { randomUUID } from 'node:crypto';
import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { newClaim, openClaim } from '../domain/claim.js';
import { isUnderWay } from '../domain/post.js';
import { claimed } from '../domain/post-moves.js';
import { taskEvents, taskOf } from '../domain/tasks.js';
import { presentDispute } from '../present/dispute.js';
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

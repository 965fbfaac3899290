import { conflict, notFound, unprocessable } from '@cds/contracts';
import { actorOf, type Clocks, change, type WriteHandler } from '@cds/service';
import { amountProblem } from '../domain/line.js';
import { claimDecided, mayRemedy } from '../domain/post-moves.js';
import { presentOpsDispute } from '../present/dispute.js';
import { movedEvents } from '../present/post-changed.js';
import type { Lines } from '../store/lines.js';
import type { PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';

type Deps = { lines: Lines; posts: Posts; writer: PostWriter; clocks: Pick<Clocks, 'now'> };

/** Raises not_found, unprocessable, conflict (bad_state). Source: docs/domain/orders.md#claims. */
export const opsDisputeDecide: WriteHandler<'ops_dispute_decide', Deps> = async (ctx, input, deps) => {
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

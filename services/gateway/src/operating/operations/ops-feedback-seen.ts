import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { type Feedback, type FeedbackChange, presentFeedback } from '../store/feedback.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/operators.md#tasks-and-feedback. */
export const opsFeedbackSeen: WriteHandler<'ops_feedback_seen', { feedback: Feedback }> = async (
  ctx,
  input,
  { feedback },
) => {
  const row = await feedback.byId(input.id);
  if (row === null) throw notFound('feedback');
  if (row.state !== 'new') throw conflict('bad_state', `This feedback is already ${row.state}.`);

  const seen: FeedbackChange = {
    state: 'seen',
    answer: null,
    changed_at: ctx.networkNow,
    changed_by: ctx.principal.operator?.name ?? 'system',
  };
  return change(presentFeedback({ ...row, ...seen }), {
    save: (tx) => feedback.move(tx, row, seen),
    audit: [
      { ws: '', actor: actorOf(ctx), action: 'feedback.seen', object: row._id, reason: input.reason, payload: {} },
    ],
  });
};

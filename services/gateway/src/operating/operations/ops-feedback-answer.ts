import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { type Feedback, type FeedbackChange, presentFeedback } from '../store/feedback.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/operators.md#tasks-and-feedback. */
export const opsFeedbackAnswer: WriteHandler<'ops_feedback_answer', { feedback: Feedback }> = async (
  ctx,
  input,
  { feedback },
) => {
  const row = await feedback.byId(input.id);
  if (row === null) throw notFound('feedback');
  if (row.state === 'answered') throw conflict('bad_state', 'This feedback is already answered.');

  const answered: FeedbackChange = {
    state: 'answered',
    answer: input.text,
    changed_at: ctx.networkNow,
    changed_by: ctx.principal.operator?.name ?? 'system',
  };
  return change(presentFeedback({ ...row, ...answered }), {
    save: (tx) => feedback.move(tx, row, answered),
    audit: [
      {
        ws: '',
        actor: actorOf(ctx),
        action: 'feedback.answered',
        object: row._id,
        ...(input.reason === undefined ? {} : { reason: input.reason }),
        payload: { answer: answered.answer },
      },
    ],
  });
};

import { listed, type ReadHandler } from '@cds/service';
import { type Feedback, presentFeedback } from '../store/feedback.js';

export const opsFeedbackList: ReadHandler<'ops_feedback_list', { feedback: Feedback }> = (_ctx, input, { feedback }) =>
  listed(input, {
    rows: (place, limit) => feedback.page(input.state ?? null, place, limit),
    placeOf: ({ _id, received_at }) => ({ at: received_at, id: _id }),
    present: presentFeedback,
  });

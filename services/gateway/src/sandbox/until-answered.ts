import { AppError } from '@cds/contracts';
import { type Ctx, DEADLINE_TOLERANCE_MS, INTERNAL_CALL_MS } from '@cds/service';

/**
 * Makes a call that may be repeated, and repeats it while nobody answers: a service that dies with a call in it never
 * does. The last one begins while the request has time for all of it.
 */
export const untilAnswered = async <Answer>(
  ctx: Ctx,
  call: (ctx: Ctx) => Promise<Answer>,
  answerMs = INTERNAL_CALL_MS,
): Promise<Answer> => {
  for (;;) {
    const deadline = ctx.deadline.atMost(answerMs);
    try {
      return await call({ ...ctx, deadline });
    } catch (error) {
      const isUnanswered =
        error instanceof AppError && error.code === 'unavailable' && deadline.remainingMs() <= DEADLINE_TOLERANCE_MS;
      if (!isUnanswered || ctx.deadline.remainingMs() < answerMs) throw error;
    }
  }
};

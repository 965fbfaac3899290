import { AppError } from '@cds/contracts';
import type { Ctx } from '@cds/service';

/**
 * A service that dies with a call in it never answers. After this time the call is sent again, while the request has as
 * much time again.
 */
const ANSWER_MS = 8_000;

/** Makes a call that may be repeated, and repeats it when no answer comes. */
export const untilAnswered = async <Answer>(
  ctx: Ctx,
  call: (ctx: Ctx) => Promise<Answer>,
  answerMs = ANSWER_MS,
): Promise<Answer> => {
  for (;;) {
    const deadline = ctx.deadline.atMost(answerMs);
    try {
      return await call({ ...ctx, deadline });
    } catch (error) {
      const isUnanswered = error instanceof AppError && error.code === 'unavailable' && deadline.remainingMs() <= 0;
      if (!isUnanswered || ctx.deadline.remainingMs() < answerMs) throw error;
    }
  }
};

import { type Ctx, INTERNAL_CALL_MS, NoReplyError } from '@cds/service';

/**
 * Makes a call that may be repeated, and repeats it while nobody answers: a service that dies with a call in it never
 * does, and the next process needs a moment to start. The last one begins while the request has time for all of it.
 */
export const untilAnswered = async <Answer>(ctx: Ctx, call: (ctx: Ctx) => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    try {
      return await call({ ...ctx, deadline: ctx.deadline.atMost(INTERNAL_CALL_MS) });
    } catch (error) {
      const isUnanswered = error instanceof Error && error.cause instanceof NoReplyError;
      if (!isUnanswered || ctx.deadline.remainingMs() < INTERNAL_CALL_MS) throw error;
    }
  }
};

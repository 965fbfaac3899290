import { claimAt, GUEST_QUOTES, GUEST_REQUESTS_PER_MINUTE, guestAnswers, needsAccount } from '@cds/contracts';
import type { Client, ReadHandler } from '@cds/service';

export const guestStatus: ReadHandler<
  'guest_status',
  { appUrl: string; catalog: Client<'guest_quotes_left'> }
> = async (ctx, _input, { appUrl, catalog }) => {
  const { left, resets_at } = await catalog.guest_quotes_left(ctx, {});
  const { limit, windowDays } = GUEST_QUOTES;
  if (ctx.minute === undefined) throw new Error('a guest was answered whose requests were not counted');
  const { left: requestsLeft, resetsAt } = ctx.minute;

  return {
    answers_now: [...guestAnswers()],
    needs_account: [...needsAccount()],
    limits: {
      requests_per_minute: GUEST_REQUESTS_PER_MINUTE,
      requests: { left: requestsLeft, resets_at: resetsAt.toISOString() },
      quotes: { limit, window_days: windowDays, left, resets_at },
    },
    claim: claimAt(appUrl),
  };
};

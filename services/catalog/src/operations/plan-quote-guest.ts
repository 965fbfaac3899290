import { AppError, claimAt, GUEST_QUOTES, secondsUntil } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { guestQuote } from '../domain/pricing/guest-quote.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import type { GuestQuotes } from '../store/guest-quotes.js';
import { guestOf } from './guest-quotes-left.js';

const used = (resetsAt: Date, seenAt: Date, appUrl: string): AppError => {
  const { limit, windowDays } = GUEST_QUOTES;
  const claim = claimAt(appUrl);
  return new AppError(
    'rate_limited',
    `This client address has used its ${limit} guest quotes of ${windowDays} days. Quote again after resets_at, or make an account at ${claim.url}.`,
    {
      reason: 'guest_quote_limit',
      limit,
      window_days: windowDays,
      resets_at: resetsAt.toISOString(),
      retry_after: secondsUntil(resetsAt, seenAt),
      claim,
    },
  );
};

/** Booked on the client address once it is priced (docs/domain/network.md#guest-quotes). Raises rate_limited. */
export const planQuoteGuest: ReadHandler<
  'plan_quote_guest',
  { appUrl: string; guestQuotes: Pick<GuestQuotes, 'book' | 'left'>; memory: NetworkMemory }
> = async (ctx, { format, posts }, { appUrl, guestQuotes, memory }) => {
  const address = guestOf(ctx);
  const network = memory.at(ctx.networkNow);
  const { priced: onSale } = memory.counts(ctx.networkNow);

  const quote = guestQuote({ format, posts }, network.sellersOf(format), onSale);

  if (!quote.priced) return { ...quote, quotes_left: (await guestQuotes.left(address)).left };
  const booked = await guestQuotes.book(address, ctx.attemptId);
  if (!booked.granted) throw used(booked.resetsAt, booked.seenAt, appUrl);
  return { ...quote, quotes_left: booked.left };
};

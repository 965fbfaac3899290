import type { Ctx, ReadHandler } from '@cds/service';
import type { GuestQuotes } from '../store/guest-quotes.js';

export const guestOf = ({ principal }: Pick<Ctx, 'principal'>): string => {
  if (principal.guest === undefined) throw new Error('a guest operation was called without a guest');
  return principal.guest.address;
};

/** Source: docs/domain/mcp.md#guests. */
export const guestQuotesLeft: ReadHandler<'guest_quotes_left', { guestQuotes: Pick<GuestQuotes, 'left'> }> = async (
  ctx,
  _input,
  { guestQuotes },
) => {
  const { left, resetsAt } = await guestQuotes.left(guestOf(ctx));
  return { left, resets_at: resetsAt?.toISOString() ?? null };
};

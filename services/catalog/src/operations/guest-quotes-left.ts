import type { Ctx, ReadHandler } from '@cds/service';
import type { GuestQuotes } from '../store/guest-quotes.js';

/** The client address of a guest, as the gateway's keyed hash of it. */
export const guestOf = ({ principal }: Pick<Ctx, 'principal'>): string => {
  if (principal.guest === undefined) throw new Error('a guest operation was called without a guest');
  return principal.guest.address;
};

/**
 * How many quotes the guest's client address has left, and when its oldest use comes back. Source:
 * docs/domain/access.md#guests.
 */
export const guestQuotesLeft: ReadHandler<'guest_quotes_left', { guestQuotes: Pick<GuestQuotes, 'left'> }> = async (
  ctx,
  _input,
  { guestQuotes },
) => {
  const { left, resetsAt } = await guestQuotes.left(guestOf(ctx));
  return { left, resets_at: resetsAt?.toISOString() ?? null };
};

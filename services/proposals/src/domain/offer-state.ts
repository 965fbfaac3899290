import type { CreatorAct, OfferState } from '@cds/contracts';
import { after, bookedPost, type OfferLine, type ProposalRow } from './chain.js';
import { LINK_AFTER_MS } from './constants.js';
import { bookingDay } from './moves.js';

/** A proposal with its line and the newest proposal of that line, which may be another creator's. */
export type Offer = { line: OfferLine; own: ProposalRow; newest: ProposalRow };

/** The reason of an acceptance that a remedy of the line ended (docs/domain/orders.md#remedies). */
const REMEDY = 'remedy';

const hasDeclined = ({ state, declined_at, decline_reason }: ProposalRow): boolean =>
  state === 'declined' || declined_at !== undefined || decline_reason !== null;

export const offerState = ({ line, own, newest }: Offer, at: Date): OfferState => {
  if (own.decline_reason === REMEDY) return 'closed';
  if (own._id !== newest._id) return hasDeclined(own) ? 'declined' : 'replaced';
  // A proved post stays its creator's, with the payout that is due, whatever becomes of the order.
  if (bookedPost(line)?.status === 'completed') return 'booked';
  if (line.cancelled || own.withdrawn_at !== null) return 'closed';
  switch (own.state) {
    case 'sending':
    case 'sent':
      return own.expires_at !== null && own.expires_at <= at ? 'expired' : 'open';
    case 'accepted':
      return line.booked ? 'booked' : 'accepted';
    case 'declined':
    case 'no_reply':
    case 'unfilled':
      return hasDeclined(own) ? 'declined' : 'expired';
  }
};

export const actsOf = (offer: Offer, at: Date): CreatorAct[] => {
  const isDayLeft = bookingDay(offer.line, at) !== null;
  switch (offerState(offer, at)) {
    case 'open':
      return isDayLeft ? ['accept', 'decline'] : ['decline'];
    case 'expired':
      return isDayLeft ? ['accept'] : [];
    case 'accepted':
      return isDayLeft ? ['date', 'withdraw'] : ['withdraw'];
    default:
      return [];
  }
};

/** When the link stops working: 30 days after the line was completed or cancelled; null while neither has happened. */
export const linkEnd = ({ line, newest }: Offer): Date | null => {
  const ended = line.cancelled ? newest.withdrawn_at : line.post?.completed_at;
  return ended == null ? null : after(ended, LINK_AFTER_MS);
};

export const isLinkAlive = (offer: Offer, number: number, at: Date): boolean => {
  const end = linkEnd(offer);
  return number === (offer.own.link ?? 1) && (end === null || end > at);
};

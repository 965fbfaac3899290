import type { PayoutState } from '@cds/contracts';
import type { OfferLine, Payout } from './chain.js';

export const payoutState = ({ post, payout }: Pick<OfferLine, 'post' | 'payout'>): PayoutState => {
  if (payout != null) return 'paid';
  return post?.status === 'completed' ? 'due' : 'not_due';
};

/** The most that the creator of a line may be paid, in US cents: the price at which it is filled. */
export const payoutMost = ({ fill_cents, price_cents }: OfferLine): number => fill_cents ?? price_cents;

export const payoutProblem = (line: OfferLine, amountCents: number): 'not_due' | 'paid' | 'too_much' | null => {
  const state = payoutState(line);
  if (state !== 'due') return state;
  return amountCents > payoutMost(line) ? 'too_much' : null;
};

export const payoutCameBack = (line: OfferLine, payout: Payout, at: Date): OfferLine => ({
  ...line,
  payout: null,
  payouts_returned: [...(line.payouts_returned ?? []), { ...payout, returned_at: at }],
  rev: line.rev + 1,
});

export const paidOut = (line: OfferLine, payout: Payout): OfferLine => ({ ...line, payout, rev: line.rev + 1 });

/** A deliverable in words for the creator; the plan words it for the brand (docs/domain/plans.md#line-texts). */
export const toCreator = (deliverable: string): string =>
  deliverable
    .replace('of your launch post', 'of the brand’s launch post')
    .replace('of the post you name', 'of the post that the brand names');

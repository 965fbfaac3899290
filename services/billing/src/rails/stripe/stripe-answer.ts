import { unavailable } from '@cds/contracts';
import Stripe from 'stripe';
import { SIGNATURE_TOLERANCE_MS } from '../../domain/constants.js';
import type { RailState } from '../rail.js';

/** Raises `unavailable` when Stripe does not answer, is busy or refuses our key; other problems as they are. */
export const asked = async <T>(
  call: () => Promise<T>,
  isAnswer = (_error: Stripe.errors.StripeError) => false,
): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (error instanceof Stripe.errors.StripeInvalidRequestError || isAnswer(error)) throw error;
    throw unavailable('The payment provider does not answer. Try again in a minute.', 60, error);
  }
};

export type Outcome = Exclude<RailState, 'none'> | 'failed';

export const stateOf = (outcome: Outcome): RailState => (outcome === 'failed' ? 'closed' : outcome);

export const isGone = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled';

/**
 * Whether a creation will never be answered with its session, so nobody can have its page: Stripe keeps its own error
 * as the answer for as long as the session could live, or the call has changed since.
 */
export const isNeverAnswered = (error: Stripe.errors.StripeError): boolean =>
  error instanceof Stripe.errors.StripeIdempotencyError ||
  (error.statusCode === 500 && error.headers?.['idempotent-replayed'] === 'true');

/** The SDK refuses old signatures only; one far in the future is as wrong. */
export const isFuture = (signature: string, now: Date): boolean => {
  const at = /(?:^|,)t=(\d{1,15})(?:,|$)/.exec(signature)?.[1];
  return at === undefined || Number(at) * 1_000 - now.getTime() > SIGNATURE_TOLERANCE_MS;
};

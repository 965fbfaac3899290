/** All-in prices, freshness and provenance of a price (docs/domain/network.md#prices). */

import type { Format, Provenance } from '@cds/contracts';
import { addDays } from '@cds/service/calendar';
import { FRESH_DAYS, PRICE_MAX_CENTS, PRICE_MIN_CENTS, PRICE_STEP_CENTS, SHARE_PERCENT } from '../constants.js';
import type { CurrentPrice } from '../creator/creator.js';
import { startOf } from '../days.js';

/** Our share added, rounded up to whole five dollars, within the bounds; both in cents. */
export const allInCents = (netAskCents: number): number => {
  const steps = Math.ceil((netAskCents * 100) / ((100 - SHARE_PERCENT) * PRICE_STEP_CENTS));
  return Math.min(PRICE_MAX_CENTS, Math.max(PRICE_MIN_CENTS, steps * PRICE_STEP_CENTS));
};

export const freshSince = (day: string): string => addDays(day, -FRESH_DAYS);

export const expiryDay = (price: CurrentPrice): string | null =>
  price.method === 'set_price' ? null : addDays(price.as_of, FRESH_DAYS + 1);

export const provenanceOf = (price: CurrentPrice, day: string): Provenance => {
  const expires = expiryDay(price);
  return {
    source: price.source,
    method: price.method,
    measured_at: price.recorded_at.toISOString(),
    expires_at: expires === null ? null : startOf(expires).toISOString(),
    label: price.source === 'team' ? 'Verified' : 'Creator-reported',
    stale: expires !== null && day >= expires,
    as_of: startOf(price.as_of).toISOString(),
  };
};

/** The newest as_of, then the later record. A creator's ask never replaces a price set by the team. */
export const currentAfter = (held: CurrentPrice | null, offered: CurrentPrice): CurrentPrice => {
  if (held === null) return offered;
  if (held.method === 'set_price' && offered.source === 'creator') return held;
  if (offered.as_of !== held.as_of) return offered.as_of > held.as_of ? offered : held;
  return offered.recorded_at >= held.recorded_at ? offered : held;
};

export const FORMAT_LABEL: Readonly<Record<Format, string>> = { post: 'Post', quote: 'Quote', thread: 'Thread' };

const DISCLOSED = ', with the paid partnership label and #ad';

export const DELIVERABLE: Readonly<Record<Format, string>> = {
  post: `One post${DISCLOSED}`,
  quote: `One quote of the post you name${DISCLOSED}`,
  thread: `One thread of at least 3 posts${DISCLOSED}`,
};

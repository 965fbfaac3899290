import { z } from 'zod';
import { booleanInput, closed, instantInput, integerInput, saying } from '../input.js';

/** Bounds of a mandate (docs/domain/orders.md#mandate, assumptions). */
const MAX_PLAN_CENTS = 100_000_000;
const MAX_MONTHLY_CAP_CENTS = 1_000_000_000;

export const MANDATE_CHANNELS = [
  'x_creators',
  'reddit',
  'clipping',
  'linkedin',
  'ugc',
  'newsletter',
  'podcast',
  'other',
] as const;

const channelsError = saying(`must be 1 or more of ${MANDATE_CHANNELS.join(', ')}, without duplicates`);

/** The input of a mandate (docs/domain/orders.md#mandate). `may_exceed_budget` is retired and no longer accepted. */
export const MandateInput = closed({
  max_plan_cents: integerInput({ min: 1, max: MAX_PLAN_CENTS }),
  monthly_cap_cents: integerInput({ min: 1, max: MAX_MONTHLY_CAP_CENTS }),
  channels: z
    .array(z.enum(MANDATE_CHANNELS, { error: channelsError }), { error: channelsError })
    .min(1, { error: channelsError })
    .refine((channels) => new Set(channels).size === channels.length, { error: channelsError }),
  may_approve: booleanInput(),
  expires_at: instantInput(),
});
export type MandateInput = z.output<typeof MandateInput>;

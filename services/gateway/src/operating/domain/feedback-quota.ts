import { LIMITS } from '@cds/contracts';
import type { NamedQuota } from '../../edge/port.js';

/** The feedback of a brand in a UTC day (docs/domain/operators.md#tasks-and-feedback). */
export const FEEDBACK_QUOTA: NamedQuota = {
  name: 'feedback',
  limit: LIMITS.daily_feedback.limit,
  spanMs: 86_400_000,
  daily: true,
  reason: 'daily_feedback',
  scope: 'brand',
  has: `brand has already sent ${LIMITS.daily_feedback.limit} messages today`,
};

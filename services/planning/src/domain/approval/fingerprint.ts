import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

export type Terms = {
  currency: string;
  launch_window_start: string;
  launch_window_end: string;
  lines: readonly {
    id: string;
    channel: string;
    format: string | null;
    unit_id: string | null;
    scheduled_date: string;
    price_cents: number;
  }[];
};

/** Equal exactly when lines, prices and dates are (docs/domain/plans.md#terms-fingerprint; I16). */
export const termsFingerprint = (terms: Terms): string => {
  const canonical = canonicalize({
    v: 1,
    currency: terms.currency,
    launch_window_start: terms.launch_window_start,
    launch_window_end: terms.launch_window_end,
    lines: terms.lines
      .map(({ id, channel, format, unit_id, scheduled_date, price_cents }) => ({
        id,
        channel,
        format,
        unit_id,
        scheduled_date,
        price_cents,
      }))
      .sort((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)),
  });
  return createHash('sha256')
    .update(canonical ?? '')
    .digest('base64url');
};

export const withFingerprint = <T extends Terms>(plan: T): T & { terms_fingerprint: string } => ({
  ...plan,
  terms_fingerprint: termsFingerprint(plan),
});

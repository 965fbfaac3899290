import type { FeedFold } from './feed-fold.js';
import { type Data, fields, of } from './feed-stages.js';

/** The mandates that GET /api/brand/keys shows, by key, at business time `now`; the keys without one are left out. */
export const mandatesIn = (fold: FeedFold, now: string): Map<string, Data> => {
  const inForce = fold.all('mandate').flatMap((one): [string, Data][] => {
    const mandate = inForceOf(fold, one);
    const id = one['key_id'] as string;
    return mandate === null
      ? []
      : [[id, { key_id: id, ...mandate, spent_this_month_cents: spentBy(fold, id, now.slice(0, 7)) }]];
  });
  return new Map(inForce);
};

/** What a mandate allows now: a child's is within its parent's (docs/domain/access.md#child-keys). */
const inForceOf = (fold: FeedFold, { mandate, parent_id }: Data): Data | null => {
  if (mandate === null || parent_id === null) return mandate as Data | null;
  const parent = fold.one('mandate', 'key_id', parent_id)?.['mandate'] ?? null;
  return parent === null ? null : within(of(mandate), of(parent));
};

/** What a key and its children signed in a month, but for what was cancelled (docs/domain/orders.md#spend). */
const spentBy = (fold: FeedFold, key: string, month: string): number => {
  const family = new Set([key]);
  for (const one of fold.all('mandate')) if (one['parent_id'] === key) family.add(one['key_id'] as string);
  return fold
    .all('order')
    .filter((order) => family.has(order['key_id'] as string) && !isGivenBack(order))
    .filter((order) => String(order['signed_at']).startsWith(month))
    .reduce((sum, order) => sum + Number(order['total_cents']), 0);
};

/** Only what is cancelled before its payment is given back. */
const isGivenBack = ({ payment_state, paid_at }: Data): boolean => payment_state === 'cancelled' && paid_at === null;

const earlier = (one: unknown, other: unknown) => (String(one) < String(other) ? one : other);
const later = (one: unknown, other: unknown) => (String(one) > String(other) ? one : other);
const lower = (one: unknown, other: unknown) => Math.min(Number(one), Number(other));

/** The lower of each limit, and the terms that were accepted for the parent. */
const within = (child: Data, parent: Data): Data => {
  const signs = child['may_approve'] === true && parent['may_approve'] === true;
  return {
    version: child['version'],
    max_plan_cents: lower(child['max_plan_cents'], parent['max_plan_cents']),
    monthly_cap_cents: lower(child['monthly_cap_cents'], parent['monthly_cap_cents']),
    channels: (child['channels'] as string[]).filter((one) => (parent['channels'] as string[]).includes(one)),
    may_approve: signs,
    expires_at: earlier(child['expires_at'], parent['expires_at']),
    updated_at: later(child['updated_at'], parent['updated_at']),
    ...fields(signs ? parent : {}, ['terms_version', 'terms_accepted_at']),
  };
};

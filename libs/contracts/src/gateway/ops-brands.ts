import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';

const BRAND_STATES = ['pending', 'approved', 'declined', 'suspended'] as const;
export type BrandStatus = (typeof BRAND_STATES)[number];

/** A brand as operators see it (docs/domain/access.md#workspaces). */
export const Brand = z
  .object({
    id: Uuid,
    company: publicText(),
    website: publicText().nullable(),
    status: z.enum(BRAND_STATES),
    applicant: z.object({ name: publicText(), email: publicText() }).nullable(),
    created_at: Timestamp,
    changed_at: Timestamp,
    changed_by: publicText().nullable(),
    workspaces: z.array(z.object({ id: Uuid, name: publicText(), kind: z.enum(['live', 'sandbox']) })),
  })
  .meta({ id: 'Brand' });
export type Brand = z.infer<typeof Brand>;

const move = <const V extends string>(verb: V) =>
  ({
    ...leadWrites,
    rest: { method: 'POST', path: `/api/ops/brands/{id}/${verb}`, root: 'app' },
    params: closed({ id: uuidInput() }),
    body: closed({ reason: reason() }),
    output: Brand,
    conflicts: ['bad_state'],
  }) as const;

export const brandOperations = defineOperations('gateway', {
  ops_brands_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/brands', root: 'app' },
    summary: 'Lists brands, oldest first.',
    query: closed({ status: oneOf(BRAND_STATES).optional().describe('Default: all.'), ...paging() }),
    output: pageOf(Brand),
  },
  ops_brand_approve: {
    ...move('approve'),
    summary:
      'Approves a pending brand: makes its live workspace, its owner and its own agent key, and writes to the owner.',
  },
  ops_brand_decline: { ...move('decline'), summary: 'Declines a pending brand.' },
  ops_brand_suspend: {
    ...move('suspend'),
    // Its keys are changed after the commit, also when a crash left that to a replay.
    ownRecord: true,
    summary: 'Suspends an approved brand: its keys and sessions answer 403 at once. Its paid orders run on.',
  },
  ops_brand_reinstate: {
    ...move('reinstate'),
    ownRecord: true,
    summary: 'Ends the suspension of a brand.',
  },
});

import { z } from 'zod';
import { CATEGORIES } from '../catalog/words.js';
import { publicText, Uuid } from '../fields.js';
import { closed, codePoints, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { NO_PLAN_REASONS } from './words.js';

/** An operator's decision on a campaign whose category is under review (docs/domain/network.md#category-screening). */
const SCREENING_DECISIONS = ['allowed', 'banned'] as const;

export const screeningOperations = defineOperations('planning', {
  ops_campaign_screening: {
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/campaigns/{id}/screening', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'write',
    idempotency: 'required',
    summary: 'Decides on a campaign whose category is under review, or lifts a ban. If allowed, its plan is built.',
    params: closed({ id: uuidInput() }),
    body: closed({ decision: oneOf(SCREENING_DECISIONS), reason: codePoints({ max: 500 }) }),
    output: z.object({
      id: Uuid,
      workspace: Uuid,
      campaign: publicText(),
      category: z.enum(CATEGORIES).nullable(),
      no_plan: z.enum(NO_PLAN_REASONS),
    }),
    conflicts: ['bad_state'],
  },
});

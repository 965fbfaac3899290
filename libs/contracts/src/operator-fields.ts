import { z } from 'zod';
import { publicText } from './fields.js';
import { codePoints, tokenInput } from './input.js';
import { queryInteger } from './query.js';

const LIST_MAX = 200;

export const reason = () => codePoints({ max: 500 }).describe('The reason, stored in the audit.');

export const paging = () => ({
  cursor: tokenInput({ max: 100 }).optional().describe('The next of the previous answer.'),
  limit: queryInteger({ min: 1, max: LIST_MAX }).optional().describe('Default: 50.'),
});

/** A page of an operator's list; `next` is the cursor of the following page, null at the end. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next: publicText().nullable() });

export const everyRoleReads = {
  audience: 'operator',
  scope: null,
  role: 'writer',
  effect: 'read',
} as const;

export const leadReads = { ...everyRoleReads, role: 'lead' } as const;

export const leadWrites = {
  audience: 'operator',
  scope: null,
  role: 'lead',
  effect: 'write',
  idempotency: 'required',
} as const;

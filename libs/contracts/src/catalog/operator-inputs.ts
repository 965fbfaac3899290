import { z } from 'zod';
import { closed, codePoints, saying, uuidInput } from '../input.js';
import { queryInteger } from '../query.js';
import { SEGMENT_IDS } from './segments.js';

const LIST_MAX = 200;

export const reason = () => codePoints({ max: 500 }).describe('The reason, stored in the audit.');

export const paging = () => ({
  cursor: codePoints({ max: 100 }).optional().describe('The next of the previous answer.'),
  limit: queryInteger({ min: 1, max: LIST_MAX }).optional().describe('Default: 50.'),
});

export const creatorId = () => closed({ id: uuidInput() });

export const segmentId = () => {
  const error = saying('must be a known audience segment id');
  return z.string({ error }).refine((id) => SEGMENT_IDS.has(id), { error });
};

export const list = <T extends z.ZodType>(item: T, max: number) => {
  const error = saying(`must be a list of at most ${max} items`);
  return z.array(item, { error }).max(max, { error });
};

/** The endpoint of an operator's write on one creator. */
export const onCreator = <const P extends string>(path: P) =>
  ({ method: 'POST', path: `/api/ops/creators/{id}${path}`, root: 'app' }) as const;

export const written = {
  service: 'catalog',
  audience: 'operator',
  scope: null,
  role: 'network',
  effect: 'write',
  idempotency: 'required',
} as const;

export const readBy = {
  service: 'catalog',
  audience: 'operator',
  scope: null,
  role: 'network',
  effect: 'read',
} as const;

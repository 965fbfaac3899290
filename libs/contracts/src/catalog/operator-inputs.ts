import { z } from 'zod';
import { closed, saying, uuidInput } from '../input.js';
import { textKinds } from '../outside-text/kinds.js';
import { SEGMENT_IDS } from './segments.js';

export { paging, reason } from '../operator-fields.js';

export const creatorId = () => closed({ id: uuidInput() });

export const segmentId = () => {
  const error = saying('must be a known audience segment id');
  return z
    .string({ error })
    .refine((id) => SEGMENT_IDS.has(id), { error })
    .register(textKinds, { kind: 'listed' });
};

export const list = <T extends z.ZodType>(item: T, max: number) => {
  const error = saying(`must be a list of at most ${max} items`);
  return z.array(item, { error }).max(max, { error });
};

export const onCreator = <const P extends string>(path: P) =>
  ({ method: 'POST', path: `/api/ops/creators/{id}${path}`, root: 'app' }) as const;

export const written = {
  audience: 'operator',
  scope: null,
  role: 'network',
  effect: 'write',
  idempotency: 'required',
} as const;

export const readBy = {
  audience: 'operator',
  scope: null,
  role: 'network',
  effect: 'read',
} as const;

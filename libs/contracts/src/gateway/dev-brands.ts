import { z } from 'zod';
import { Mandate } from '../billing/mandates.js';
import { publicText, Uuid } from '../fields.js';
import { booleanInput, closed, codePoints, lineInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { SCOPES } from '../scope.js';

/** A seeded key; `secret` is the full key as callers send it. */
const DevKey = z
  .object({
    name: publicText(),
    id: Uuid,
    secret: publicText(),
    scopes: z.array(z.enum(SCOPES)),
    mandate: Mandate.nullable(),
  })
  .meta({ id: 'DevKey' });

const DevWorkspace = z
  .object({ name: publicText(), kind: z.enum(['live', 'sandbox']), id: Uuid, keys: z.array(DevKey) })
  .meta({ id: 'DevWorkspace' });

/** What the run-time file of `npm start` lists (docs/domain/operators.md#development-brands). */
export const DevBrand = z.object({ workspaces: z.array(DevWorkspace) }).meta({ id: 'DevBrand' });
export type DevBrand = z.infer<typeof DevBrand>;

export const devBrandOperations = defineOperations('gateway', {
  dev_brand_make: {
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/dev/brands', root: 'app' },
    scope: null,
    effect: 'write',
    idempotency: 'required',
    // The answer contains secrets, which are never stored: a brand is created once by its name.
    ownRecord: true,
    summary:
      'Creates an approved brand with a live and a sandbox workspace and seeded keys, in a development environment.',
    body: closed({
      name: lineInput({ max: 60 }).optional(),
      audience: codePoints({ min: 0, max: 2_000 }).nullable().optional(),
      sandbox: lineInput({ max: 60 }).nullable().optional(),
      replace_keys: booleanInput().optional(),
    }),
    output: DevBrand,
    success: 201,
  },
});

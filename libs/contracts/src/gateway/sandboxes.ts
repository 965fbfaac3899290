import { z } from 'zod';
import { publicText, Uuid } from '../fields.js';
import { closed, lineInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandPath } from '../planning/inputs.js';
import { Key, keyOperation } from './keys.js';

export const sandboxOperations = defineOperations('gateway', {
  sandbox_make: {
    ...keyOperation,
    rest: { method: 'POST', path: brandPath('/sandbox'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    ownRecord: true,
    summary: 'Creates a sandbox workspace of the brand with one test key. Its secret is shown once.',
    body: closed({ name: lineInput({ max: 60 }).optional().describe("Default: made from the company's name.") }),
    output: z.object({
      workspace: z.object({ id: Uuid, name: publicText(), kind: z.literal('sandbox') }),
      key: Key,
      secret: publicText(),
    }),
    success: 201,
    conflicts: ['too_many_sandboxes', 'secret_gone'],
  },
});

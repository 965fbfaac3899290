import { z } from 'zod';
import { Timestamp } from '../fields.js';
import { closed, integerInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { sandboxWrites } from '../operation-kinds.js';
import { SEED_MAX } from '../sandbox-reset.js';

/** A reset that is done: which of the sandbox's it was, from 1, the seed of its creators, and when it ended. */
export const SandboxReset = z
  .object({ number: z.int().min(1), seed: z.int().min(0), reset_at: Timestamp })
  .meta({ id: 'SandboxReset' });
export type SandboxReset = z.infer<typeof SandboxReset>;

export const sandboxResetOperations = defineOperations('gateway', {
  sandbox_reset: {
    ...sandboxWrites('campaigns:write'),
    rest: { method: 'POST', path: '/api/sandbox/reset', root: 'app' },
    summary: 'Removes every campaign, plan, order, proposal, post, reading, unit override and fault of this sandbox.',
    body: closed({
      seed: integerInput({ min: 0, max: SEED_MAX })
        .optional()
        .describe('What its creators do from now on. Default: the seed it has; the first is 1.'),
    }),
    output: SandboxReset,
  },
});

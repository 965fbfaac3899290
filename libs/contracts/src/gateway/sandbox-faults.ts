import { z } from 'zod';
import { ERROR_CODE_NAMES } from '../error.js';
import { publicText, Uuid } from '../fields.js';
import { closed, integerInput, oneOf, saying, stringInput, whenObject } from '../input.js';
import { defineOperations } from '../operation.js';

/** The longest delay of a fault; a write is answered within 25 s of its end. */
const DELAY_MAX_MS = 20_000;

/** What the next calls of one operation get instead of its answer, or before it (docs/domain/sandbox.md#faults). */
export const SandboxFault = z
  .object({
    id: Uuid,
    operation: publicText(),
    status: z.int().nullable().meta({ description: 'null: the operation answers, after the delay.' }),
    code: z.enum(ERROR_CODE_NAMES).nullable(),
    reason: publicText().nullable(),
    delay_ms: z.int().min(0),
    times_left: z.int().min(1).meta({ description: 'How many more calls will get it.' }),
  })
  .meta({ id: 'SandboxFault' });
export type SandboxFault = z.infer<typeof SandboxFault>;

const SandboxFaults = z.object({ items: z.array(SandboxFault) }).meta({ id: 'SandboxFaults' });

const newFault = () =>
  closed({
    operation: stringInput('must be the name of an operation, such as plan_quote').describe(
      'The operation whose next calls get the fault, by REST or MCP, as the documents name it.',
    ),
    status: integerInput({ min: 400, max: 599 }).optional().describe('A status that the operation can answer.'),
    code: oneOf(ERROR_CODE_NAMES).optional().describe("Default: the reason's, or else the first code of the status."),
    reason: stringInput('must be a reason of the code')
      .optional()
      .describe('Required for conflict and mandate_refused. Default of rate_limited: request_rate.'),
    times: integerInput({ min: 1, max: 100 }).optional().describe('How many calls get it. Default: 1.'),
    delay_ms: integerInput({ min: 0, max: DELAY_MAX_MS })
      .optional()
      .describe('How long each of these calls waits first. Without a status, the operation then answers as always.'),
  }).check(
    z.refine(({ status, delay_ms: delayMs }) => status !== undefined || (delayMs ?? 0) > 0, {
      path: ['status'],
      error: saying('must be sent, or a `delay_ms` above 0, or both'),
      when: whenObject,
    }),
  );

const faults = {
  audience: 'sandbox',
  output: SandboxFaults,
} as const;

export const sandboxFaultOperations = defineOperations('gateway', {
  sandbox_faults: {
    ...faults,
    scope: 'any',
    rest: { method: 'GET', path: '/api/sandbox/faults', root: 'app' },
    effect: 'read',
    summary: 'Lists the faults that are armed in this sandbox.',
  },
  sandbox_fault_arm: {
    ...faults,
    scope: 'campaigns:write',
    rest: { method: 'POST', path: '/api/sandbox/faults', root: 'app' },
    effect: 'write',
    idempotency: 'required',
    // It stores its answer itself, and then updates the keys of the sandbox.
    ownRecord: true,
    summary: 'Arms a fault: the next calls of one operation in this sandbox get an error, a delay, or both.',
    body: newFault(),
    conflicts: ['too_many_faults'],
  },
  sandbox_faults_clear: {
    ...faults,
    scope: 'campaigns:write',
    rest: { method: 'DELETE', path: '/api/sandbox/faults', root: 'app' },
    effect: 'write',
    idempotency: 'required',
    ownRecord: true,
    summary: 'Removes every fault of this sandbox.',
  },
});

import { z } from 'zod';
import { Count, Timestamp, Uuid } from './fields.js';
import { definePerService } from './operation.js';
import { gatewayWrites } from './operation-kinds.js';
import type { ServiceName } from './service.js';

export const SEED_MAX = 2_147_483_647;

/** A reset of a sandbox, as one service keeps it: the newest by `number`. `at` is database time. */
const Reset = z.object({ workspace: Uuid, number: z.int().min(1), at: Timestamp, seed: z.int().min(0).max(SEED_MAX) });

/**
 * How many documents were `removed`, and how many earlier writes of the sandbox are `running`; these must end first.
 */
const ResetAnswer = z.object({ removed: Count, running: Count });

/** The operation by which the gateway resets a sandbox in one service (docs/reliability.md#sandbox-resets). */
export const sandboxResetOperation = <const S extends Exclude<ServiceName, 'gateway'>>(service: S) =>
  definePerService(service, {
    sandbox_reset: {
      ...gatewayWrites,
      summary: 'Removes what a sandbox held before a reset, or ends that reset.',
      body: Reset.extend({ ends: z.boolean() }),
      output: ResetAnswer,
    },
  });

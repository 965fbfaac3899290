import { z } from 'zod';
import { Cents, Count, Uuid } from '../fields.js';
import { booleanInput, closed, integerInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { sandboxWrites } from '../operation-kinds.js';
import { unitId } from './inputs.js';

/** Overrides one unit in one sandbox; null and false keep the network's value (docs/domain/sandbox.md#sandbox). */
export const SandboxUnit = z
  .object({ unit_id: Uuid, price_cents: Cents.nullable(), age_days: Count.nullable(), off_sale: z.boolean() })
  .meta({ id: 'SandboxUnit' });
export type SandboxUnit = z.infer<typeof SandboxUnit>;

export const sandboxUnitOperations = defineOperations('planning', {
  sandbox_unit_set: {
    ...sandboxWrites('campaigns:write'),
    rest: { method: 'POST', path: '/api/sandbox/units/{unit_id}', root: 'app' },
    summary: 'Overrides the price, price age or sale of one unit for the plans of this sandbox.',
    params: closed({ unit_id: unitId() }),
    body: closed({
      price_cents: integerInput({ min: 1, max: 100_000_000 }).optional().describe('The all-in price in US cents.'),
      age_days: integerInput({ min: 0, max: 3_650 }).optional().describe('How many days old the price is.'),
      off_sale: booleanInput().optional().describe('Whether the unit cannot be bought.'),
    }),
    output: SandboxUnit,
  },
  sandbox_unit_clear: {
    ...sandboxWrites('campaigns:write'),
    rest: { method: 'DELETE', path: '/api/sandbox/units/{unit_id}', root: 'app' },
    summary: 'Removes the override of one unit.',
    params: closed({ unit_id: unitId() }),
    output: SandboxUnit,
  },
});

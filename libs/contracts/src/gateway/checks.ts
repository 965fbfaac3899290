import { z } from 'zod';
import { Count, publicText, Timestamp } from '../fields.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads } from '../operator-fields.js';

const Check = z
  .object({
    name: publicText(),
    ok: z.boolean(),
    latency_ms: Count.nullable().describe('Null when it did not answer, and for what is not a dependency.'),
    problem: publicText().nullable(),
    mend: publicText().nullable().describe('How to fix the problem.'),
  })
  .meta({ id: 'DependencyCheck' });

export const checkOperations = defineOperations('gateway', {
  ops_checks: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/checks', root: 'app' },
    summary:
      'Asks the database, the bus and every service now, and reports how fast each answered, what is wrong with the installation and how to fix it.',
    output: z.object({ ok: z.boolean(), at: Timestamp, checks: z.array(Check) }),
  },
});

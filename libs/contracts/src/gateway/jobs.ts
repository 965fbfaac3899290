import { z } from 'zod';
import { closed, oneOf } from '../input.js';
import { Job, LeaseView } from '../job-operations.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads } from '../operator-fields.js';
import { SERVICES } from '../service.js';

export const opsJobOperations = defineOperations('gateway', {
  ops_jobs: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/jobs', root: 'app' },
    summary: 'Reports the sweeps of all services, with their last run and failures, and their leases.',
    query: closed({ service: oneOf(SERVICES).optional().describe('Default: all.') }),
    output: z.object({
      jobs: z.array(Job),
      leases: z.array(LeaseView),
      unavailable: z.array(z.enum(SERVICES)).describe('Services that did not answer.'),
    }),
  },
});

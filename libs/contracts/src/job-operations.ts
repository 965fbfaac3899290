import { z } from 'zod';
import { Count, publicText, Timestamp } from './fields.js';
import { closed } from './input.js';
import { definePerService } from './operation.js';
import { gatewayReads } from './operation-kinds.js';
import { SERVICES, type ServiceName } from './service.js';

/** A sweep of a service: work that runs again and again (docs/reliability.md#due-facts). */
export const Job = z
  .object({
    service: z.enum(SERVICES),
    name: publicText(),
    every_ms: Count,
    last_run_at: Timestamp.nullable(),
    next_run_at: Timestamp.nullable(),
    /** Runs that failed since the last one that did not, and the kind of the last error. */
    failures: Count,
    last_failed_at: Timestamp.nullable(),
    last_error: publicText().nullable(),
    /** Rows that could not be handled and wait for their next try. */
    put_off: Count,
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

/** The lease under which one process of a service does what only one may do at a time. */
export const LeaseView = z
  .object({ service: z.enum(SERVICES), name: publicText(), held: z.boolean(), until: Timestamp, fence: Count })
  .meta({ id: 'Lease' });
export type LeaseView = z.infer<typeof LeaseView>;

/** The operation by which a service reports its sweeps and leases, the same in every service but the gateway. */
export const jobOperations = <const S extends Exclude<ServiceName, 'gateway'>>(service: S) =>
  definePerService(service, {
    jobs: {
      ...gatewayReads,
      summary: 'Reports the sweeps and leases of this service.',
      body: closed({}),
      output: z.object({ jobs: z.array(Job), leases: z.array(LeaseView) }),
    },
  });

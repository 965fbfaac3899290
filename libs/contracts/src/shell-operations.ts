import { auditOperations } from './audit.js';
import { eventOperations } from './event-operations.js';
import { jobOperations } from './job-operations.js';
import { sandboxResetOperation } from './sandbox-reset.js';
import { SERVICES, type ServiceName } from './service.js';

/** What every service but the gateway answers on the bus about its own events, audit, sweeps and sandboxes. */
export const shellOperations = <const S extends Exclude<ServiceName, 'gateway'>>(service: S) => ({
  ...eventOperations(service),
  ...auditOperations(service),
  ...jobOperations(service),
  ...sandboxResetOperation(service),
});

/** The names of these operations. The shell answers them, so no service writes a handler. */
export type ShellOperationName = keyof ReturnType<typeof shellOperations<Exclude<ServiceName, 'gateway'>>>;

const names: ReadonlySet<string> = new Set(
  SERVICES.flatMap((service) => (service === 'gateway' ? [] : Object.keys(shellOperations(service)))),
);

export const isShellOperation = (name: string): name is ShellOperationName => names.has(name);

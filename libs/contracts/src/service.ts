/** The gateway owns keys, workspaces and clocks, the other services the domain (ARCHITECTURE.md#in-short). */
export const SERVICES = ['gateway', 'catalog', 'planning', 'billing', 'proposals', 'metrics'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Which services each caller may call. The typed client and the NATS permissions derive from it. */
export const CALLS = {
  gateway: ['catalog', 'planning', 'billing', 'proposals', 'metrics'],
  catalog: ['planning'],
  planning: ['catalog', 'billing'],
  billing: ['planning', 'proposals'],
  proposals: ['catalog', 'planning', 'metrics'],
  metrics: ['catalog', 'planning'],
} as const satisfies Record<ServiceName, readonly ServiceName[]>;

export type CalleeOf<S extends ServiceName> = (typeof CALLS)[S][number];

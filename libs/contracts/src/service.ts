/** The six services. The gateway owns keys, workspaces and clocks; the others own the domain (design 1). */
export const SERVICES = ['gateway', 'catalog', 'planning', 'billing', 'proposals', 'metrics'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Who may call whom by request and reply: caller to callees. The client's type and the NATS permissions follow it. */
export const CALLS = {
  gateway: ['catalog', 'planning', 'billing', 'proposals', 'metrics'],
  catalog: ['planning'],
  planning: ['catalog', 'billing'],
  billing: ['planning'],
  proposals: ['catalog', 'planning'],
  metrics: ['catalog', 'planning'],
} as const satisfies Record<ServiceName, readonly ServiceName[]>;

export type CalleeOf<S extends ServiceName> = (typeof CALLS)[S][number];

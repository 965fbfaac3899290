/** The gateway answers nobody on the bus: it is called by HTTP alone. */
export const gatewayInternal = {} as const;

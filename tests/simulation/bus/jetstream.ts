import type { StreamClient } from './bus.js';

// Replaces @nats-io/jetstream while a simulation runs: what the relay uses of it, over the simulated bus.

export const RetentionPolicy = { Limits: 'limits' } as const;
export const PersistMode = { Async: 'async' } as const;
export const StorageType = { File: 'file' } as const;
export const AckPolicy = { Explicit: 'explicit' } as const;
export const DeliverPolicy = { All: 'all' } as const;
export const JetStreamApiCodes = {} as const;
export class JetStreamApiError extends Error {}

export const jetstream = ({ keep }: StreamClient) => ({
  publish: (subject: string, data: Uint8Array, { msgID }: { msgID: string }): Promise<void> =>
    keep(msgID, subject, data),
});

import { z } from 'zod';
import { Count, Timestamp } from '../fields.js';
import { closed, integerInput } from '../input.js';
import { defineOperations } from '../operation.js';

const DevNetwork = z.object({ creators: Count, newest_synced_at: Timestamp.nullable() }).meta({ id: 'DevNetwork' });

export const devNetworkOperations = defineOperations('catalog', {
  dev_network: {
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/dev/network', root: 'app' },
    scope: null,
    effect: 'read',
    summary: 'Returns how many creators a development network has.',
    output: DevNetwork,
  },
  dev_network_load: {
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/dev/network', root: 'app' },
    scope: null,
    effect: 'write',
    idempotency: 'required',
    summary: 'Loads the generated network in a development environment.',
    body: closed({
      creators: integerInput({ min: 1, max: 1_000_000 }).default(2_000),
      seed: integerInput({ min: 0, max: 4_294_967_295 }).default(1),
    }),
    output: DevNetwork.extend({ loaded: z.int().min(0) }).meta({ id: 'DevNetworkLoaded' }),
  },
});

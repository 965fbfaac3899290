import { badRequest } from '@cds/contracts';
import type { Client } from '@cds/service';
import {
  contextOf,
  type Edge,
  type Endpoint,
  headerValues,
  LIMIT_MS,
  okAnswer,
  publicEndpoint,
  RAIL_WINDOW,
  type Route,
  readBytes,
} from '../edge/port.js';

const LIMIT_BYTES = 256 * 1024;

/** The signature headers of Stripe and of our own sandbox rail. */
const SIGNATURE_HEADERS = ['stripe-signature', 'cds-signature'] as const;

/** Raw bytes and signature go to billing, which alone holds the secrets (docs/reliability.md#payment-events). */
export const railRoutes = (edge: Edge, billing: Client<'rail_event'>): Route<Endpoint>[] => [
  {
    path: '/api/rails/{rail}/events',
    method: 'POST',
    target: publicEndpoint(
      edge,
      async (exchange, params, caller) => {
        const raw = await readBytes(exchange.raw, LIMIT_BYTES);
        if (raw === null) throw badRequest([{ field: 'body', message: `must be at most ${LIMIT_BYTES / 1024} KiB` }]);
        const [signature] = SIGNATURE_HEADERS.flatMap((name) => headerValues(exchange.raw, name));

        const ctx = contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.write);
        const received = await billing.rail_event(ctx, {
          rail: params['rail'] ?? '',
          raw_base64: raw.toString('base64'),
          signature: signature ?? null,
        });
        return okAnswer(200, JSON.stringify(received));
      },
      LIMIT_MS.write,
      RAIL_WINDOW,
    ),
  },
];

import { badRequest } from '@cds/contracts';
import type { Client } from '@cds/service';
import { contextOf, LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Endpoint } from '../edge/endpoint.js';
import { okAnswer } from '../edge/http/answer.js';
import { readBytes } from '../edge/http/body.js';
import { headerValues } from '../edge/http/exchange.js';
import { publicEndpoint } from '../edge/public-endpoint.js';
import type { Route } from '../edge/routes.js';
import { RAIL_WINDOW } from '../edge/steps/caller.js';

const LIMIT_BYTES = 256 * 1024;

/** The signature headers of Stripe and of our own sandbox rail. */
const SIGNATURE_HEADERS = ['stripe-signature', 'cds-signature'] as const;

/**
 * Rail callbacks (docs/reliability.md#payment-events): raw bytes and signature go to billing, which alone holds the
 * secrets.
 */
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

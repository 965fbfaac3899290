import { z } from 'zod';
import { paidText, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, oneOf, stringInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { paging, readBy, reason, written } from './operator-inputs.js';

/** The answer of a price request (docs/specification.md#ask-for-a-price). */
const PriceRequest = z
  .object({
    requested: z.boolean(),
    already: z.boolean(),
    status: z.enum(['requested', 'priced']),
    requested_at: Timestamp,
  })
  .meta({ id: 'PriceRequest' });

const ASK_STATES = ['requested', 'priced', 'closed'] as const;

/** A brand's price request as operators see it (docs/domain/network.md#price-requests). */
export const OpsPriceAsk = z
  .object({
    id: Uuid,
    workspace: Uuid,
    creator_id: Uuid,
    handle: paidText().nullable(),
    campaign_id: Uuid.nullable(),
    status: z.enum(ASK_STATES),
    requested_at: Timestamp,
    answered_at: Timestamp.nullable(),
  })
  .meta({ id: 'OpsPriceAsk' });
export type OpsPriceAsk = z.infer<typeof OpsPriceAsk>;

export const priceRequestOperations = defineOperations('catalog', {
  creator_ask_price: {
    audience: 'brand',
    rest: { method: 'POST', path: '/creators/{id}/price-request', root: 'v1' },
    scope: 'creators:read',
    effect: 'write',
    idempotency: 'optional',
    tool: {
      rank: 5,
      title: 'Ask for a price',
      description:
        "Asks the service's team for the price of a creator with nothing on sale. The creator is not contacted. Scope creators:read; costs one of 3 requests per creator and 20 in total in 24 hours, and opens the creator if it was not opened that day.",
      hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
      also: { creator_id: 'id' },
    },
    summary: 'Asks the team for the price of a creator.',
    params: closed({
      id: stringInput('must be the id of a creator').describe('The id of a creator with ask_price true.'),
    }),
    body: closed({ campaign_id: uuidInput().optional().describe('The campaign that the price is for.') }),
    output: PriceRequest,
    conflicts: ['already_priced'],
    meters: ['open', 'view', 'price_ask'],
  },
  ops_price_asks_list: {
    ...readBy,
    rest: { method: 'GET', path: '/api/ops/price-asks', root: 'app' },
    summary: 'Lists the price requests of all brands, oldest first.',
    query: closed({ status: oneOf(ASK_STATES).optional(), ...paging() }),
    output: z.object({ price_asks: z.array(OpsPriceAsk), next: publicText().nullable() }),
  },
  ops_price_ask_close: {
    ...written,
    rest: { method: 'POST', path: '/api/ops/price-asks/{id}/close', root: 'app' },
    summary: 'Closes an open price request without a price.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: reason() }),
    output: OpsPriceAsk,
    conflicts: ['bad_state'],
  },
});

import { z } from 'zod';
import { CalendarDate, Cents, paidText, publicText, redactedText, Uuid } from '../fields.js';
import { booleanInput, closed, dateInput, integerInput, oneOf } from '../input.js';
import { defineOperations } from '../operation.js';
import { queryInteger } from '../query.js';
import { creatorId, onCreator, paging, readBy, reason, written } from './operator-inputs.js';
import { OpsCreator } from './ops-creators.js';
import { FORMATS } from './words.js';

const ASK_MAX_CENTS = 75_000_000;

const OpsPrice = z
  .object({
    creator_id: Uuid,
    handle: paidText().nullable(),
    name: redactedText().nullable(),
    unit_id: Uuid,
    format: z.enum(FORMATS),
    price_cents: Cents,
    price_as_of: CalendarDate,
    price_method: z.enum(['set_price', 'agreed_rate', 'stated']),
    expires_on: CalendarDate.nullable(),
  })
  .meta({ id: 'OpsPrice' });

export const priceOperations = defineOperations('catalog', {
  ops_price_set: {
    ...written,
    rest: onCreator('/prices'),
    summary: 'Adds a price. The newest one applies, but a creator’s price never replaces one set by the team.',
    params: creatorId(),
    body: closed({
      format: oneOf(FORMATS),
      ask_cents: integerInput({ min: 1, max: ASK_MAX_CENTS }).describe('The net price in US cents.'),
      source: oneOf(['team', 'creator']),
      as_of: dateInput(),
      team_set: booleanInput().optional().describe('If true, this is the team’s own price, which does not expire.'),
      reason: reason(),
    }),
    output: OpsCreator,
    conflicts: ['bad_state'],
    success: 201,
  },
  ops_prices_list: {
    ...readBy,
    rest: { method: 'GET', path: '/api/ops/prices', root: 'app' },
    summary: 'Lists current prices of listed creators, soonest to expire first.',
    query: closed({
      expiring_days: queryInteger({ min: 0, max: 365 })
        .optional()
        .describe('Lists only prices that expire within this many days.'),
      ...paging(),
    }),
    output: z.object({ prices: z.array(OpsPrice), next: publicText().nullable() }),
  },
});

import { z } from 'zod';
import { Cents, Count, Timestamp } from '../fields.js';
import { closed, oneOf } from '../input.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';
import { queryInteger } from '../query.js';
import { AudienceFit, audienceOperations, DescribedQuery, Inventory } from './audience.js';
import { FORMATS } from './words.js';

/** The most posts of one guest quote (docs/specification.md#limits). */
export const GUEST_POSTS_MAX = 50;

/** How many quotes a client address has in any so many days (docs/specification.md#limits). */
export const GUEST_QUOTES = { limit: 3, windowDays: 7 } as const;

const PriceRange = z.object({ min_cents: Cents, max_cents: Cents });

/** A price range that names no creator (docs/domain/network.md#guest-quotes). */
export const GuestQuote = z
  .object({
    priced: z
      .boolean()
      .meta({ description: 'False, with ranges of null, while fewer than 3 creators sell the format.' }),
    format: z.enum(FORMATS),
    posts: z.int().min(1).max(GUEST_POSTS_MAX),
    currency: z.literal('USD'),
    per_post: PriceRange.nullable().meta({ description: 'The lowest and the highest all-in price of a post.' }),
    total: PriceRange.nullable().meta({ description: 'The same, times the posts.' }),
    creators_on_sale: Count.meta({ description: 'Creators bookable now, in any format.' }),
    creators_in_format: Count.meta({ description: 'How many of them sell the format.' }),
    quotes_left: Count.meta({ description: 'Quotes that this client address has left in the window.' }),
  })
  .meta({ id: 'GuestQuote' });
export type GuestQuote = z.infer<typeof GuestQuote>;

const ofGuests = { audience: 'guest', scope: null, effect: 'read', callers: ['gateway'] } as const;

/** What guests read of the network (docs/domain/mcp.md#guests): counts and ranges, never a creator. */
export const guestNetworkOperations = defineOperations('catalog', {
  guest_inventory: {
    ...ofGuests,
    tool: {
      ...audienceOperations.inventory.tool,
      name: 'inventory',
      description: 'Counts approved and bookable creators of the whole network. No key needed.',
    },
    summary: 'Returns coverage of the whole network to a guest.',
    output: Inventory,
  },
  guest_audience: {
    ...ofGuests,
    tool: {
      ...audienceOperations.resolve_audience.tool,
      name: 'resolve_audience',
      description:
        'Turns a described audience into segments and regions and reports how well the network covers it. No key needed; intent_id needs an account.',
    },
    summary: 'Reports to a guest how well the network covers a described audience.',
    query: DescribedQuery,
    output: AudienceFit,
  },
  plan_quote_guest: {
    ...ofGuests,
    tool: {
      rank: 22,
      title: 'Guest quote',
      description: `Returns the all-in price range of posts of one format over every creator on sale now, never a creator. No key needed. A priced answer costs one of ${GUEST_QUOTES.limit} quotes in any ${GUEST_QUOTES.windowDays} days.`,
      hints: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
    },
    summary: 'Returns a price range for posts of one format to a guest.',
    query: closed({
      format: oneOf(FORMATS).describe('What each creator posts.'),
      posts: queryInteger({ min: 1, max: GUEST_POSTS_MAX }).describe('How many posts.'),
    }),
    output: GuestQuote,
  },
  guest_quotes_left: {
    ...internalReads,
    callers: ['gateway'],
    summary: 'Returns how many quotes the client address of a guest has left, and when its oldest use comes back.',
    output: z.object({ left: Count, resets_at: Timestamp.nullable() }),
  },
});

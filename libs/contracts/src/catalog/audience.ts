import { z } from 'zod';
import { Count, publicText, Timestamp } from '../fields.js';
import { closed, codePoints, uuidInput, whenObject } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandReads, internalReads } from '../operation-kinds.js';
import { NETWORK_CHANNELS } from './words.js';

/** An audience as segments with weights that sum to 1 (docs/domain/network.md#audience-text). */
export const AudienceWeights = z.array(z.object({ id: publicText(), label: publicText(), weight: z.number() }));
export type AudienceWeights = z.infer<typeof AudienceWeights>;

/** One audience segment of the taxonomy (docs/specification.md#segment). */
export const Segment = z.object({ id: publicText(), label: publicText() }).meta({ id: 'Segment' });

/** How well one channel reaches an audience (docs/specification.md#channelfit). */
export const ChannelFit = z
  .object({
    channel: z.enum(NETWORK_CHANNELS),
    label: publicText(),
    sale: z.enum(['live', 'next']),
    level: z.enum(['strong', 'thin', 'none']),
    verified_nodes: Count.meta({ description: 'Approved creators reaching the audience.' }),
    bookable_nodes: Count.meta({ description: 'How many of them are bookable now.' }),
    priced_units: Count.meta({ description: 'Posts on sale at a current price; a creator may have several.' }),
    note: publicText(),
  })
  .meta({ id: 'ChannelFit' });
export type ChannelFit = z.infer<typeof ChannelFit>;

/** Counts of the whole network, regardless of filters (docs/specification.md#creators). */
export const CatalogCounts = z.object({ approved: Count, priced: Count }).meta({ id: 'CatalogCounts' });
export type CatalogCounts = z.infer<typeof CatalogCounts>;

/**
 * Network coverage per channel (docs/specification.md#inventory); `catalog` is for guests
 * (docs/domain/network.md#coverage).
 */
export const Inventory = z
  .object({
    segments: z.array(Segment),
    unresolved: z.boolean(),
    coverage_as_of: Timestamp.nullable(),
    channels: z.array(ChannelFit),
    catalog: CatalogCounts.optional(),
  })
  .meta({ id: 'Inventory' });
export type Inventory = z.infer<typeof Inventory>;

/** How well the network covers a described audience (docs/specification.md#audiencefit). */
export const AudienceFit = z
  .object({
    version: z.literal(1),
    computed_at: Timestamp,
    coverage_as_of: Timestamp.nullable(),
    segments: z.array(Segment),
    regions: z.array(publicText()),
    unresolved: z.boolean(),
    audience_from: z.enum(['described', 'on_file']).optional().meta({
      description:
        "Whose words were read: the request's or its campaign's, or the audience on file. Absent without any.",
    }),
    channels: z.array(ChannelFit),
    thin: z.boolean(),
    summary: publicText(),
  })
  .meta({ id: 'AudienceFit' });
export type AudienceFit = z.infer<typeof AudienceFit>;

/** The public counts of the network (docs/domain/requests.md#brand-operations). */
export const NetworkFacts = z.object({ approved: Count, priced: Count, as_of: Timestamp }).meta({ id: 'NetworkFacts' });
export type NetworkFacts = z.infer<typeof NetworkFacts>;

const DESCRIPTION_MAX = 2_000;

const description = () => codePoints({ min: 0, max: DESCRIPTION_MAX }).optional();

const geography = description().describe(
  'Where the audience is. Adds regions to the answer; the counts stay the same.',
);

/** The texts by which a guest describes an audience (docs/domain/mcp.md#guests). */
export const DescribedQuery = closed({
  product: description().describe('What is advertised. Read if no audience is sent or its text names none.'),
  audience: description().describe('Whom to reach.'),
  geography,
  intent_id: uuidInput().optional().describe('A campaign. Needs an account.'),
});

/** The query of GET /audience (docs/domain/network.md#coverage, AudienceFit). */
const AudienceQuery = closed({
  product: description().describe(
    'What is advertised. Used if audience is left out or names nobody; takes precedence over the audience on file.',
  ),
  audience: description().describe('Whom to reach. Takes precedence over the campaign and the company context.'),
  geography,
  intent_id: uuidInput().optional().describe('A campaign whose texts are used for fields you leave out.'),
  campaign_id: uuidInput().optional().describe('Same as intent_id.'),
}).check(
  z.refine(
    ({ intent_id: intent, campaign_id: campaign }) =>
      intent === undefined || campaign === undefined || intent === campaign,
    { path: ['campaign_id'], error: 'must equal intent_id or be left out', when: whenObject },
  ),
);

export const audienceOperations = defineOperations('catalog', {
  inventory: {
    ...brandReads('inventory:read'),
    rest: { method: 'GET', path: '/inventory', root: 'v1' },
    tool: {
      rank: 1,
      title: 'Network coverage',
      description:
        "Counts approved and bookable creators per channel for the brand's own audience. Scope inventory:read.",
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    summary: 'Returns network coverage per channel.',
    output: Inventory,
  },
  resolve_audience: {
    ...brandReads('audience:read'),
    rest: { method: 'GET', path: '/audience', root: 'v1' },
    tool: {
      rank: 2,
      title: 'Audience fit',
      description:
        'Turns an audience description into segments and regions and reports how well the network covers it, per channel. Scope audience:read.',
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    summary: 'Reports how well the network covers a described audience.',
    query: AudienceQuery,
    output: AudienceFit,
  },
  network_facts: {
    audience: 'public',
    rest: { method: 'GET', path: '/api/network/facts', root: 'app' },
    scope: null,
    effect: 'read',
    cacheControl: 'public, max-age=300',
    summary: 'Returns counts of approved and bookable creators in the whole network.',
    output: NetworkFacts,
  },
  audience_resolve: {
    ...internalReads,
    callers: ['planning', 'gateway'],
    summary: 'Resolves a text to weighted audience segments.',
    body: z.object({ text: z.string() }),
    output: z.object({ segments: AudienceWeights, unresolved: z.boolean() }),
  },
});

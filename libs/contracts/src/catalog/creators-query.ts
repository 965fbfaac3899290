import { z } from 'zod';
import { closed, codePoints, oneOf, saying, uuidInput, whenObject } from '../input.js';
import { textKinds } from '../outside-text/kinds.js';
import { queryBoolean, queryInteger, queryNumber } from '../query.js';
import { SEGMENT_IDS, unknownSegments } from './segments.js';
import { CREATOR_SORTS, FORMATS, GOALS, REACH_BANDS } from './words.js';

const MATCH_MAX = 10;

const segment = () =>
  z
    .string({ error: saying('must be an audience segment id') })
    .refine((id) => SEGMENT_IDS.has(id), { error: ({ input }) => unknownSegments([String(input)]) })
    .meta({ enum: [...SEGMENT_IDS] })
    .register(textKinds, { kind: 'listed' });

const idsIn = (list: string): string[] => list.split(',').map((id) => id.trim());

/** Audience segment ids, comma separated. The message names every unknown one. */
const match = () => {
  const accepts = `must be 1 to ${MATCH_MAX} audience segment ids, comma separated`;
  return z
    .string({ error: saying(accepts) })
    .refine((list) => idsIn(list).length <= MATCH_MAX, { error: accepts, abort: true })
    .refine((list) => idsIn(list).every((id) => SEGMENT_IDS.has(id)), {
      error: ({ input }) => unknownSegments([...new Set(idsIn(String(input)).filter((id) => !SEGMENT_IDS.has(id)))]),
    })
    .register(textKinds, { kind: 'listed' });
};

/** The query of GET /creators/{id}: the audience to score against; by default the brand's own. */
export const CreatorQuery = closed({
  match: match()
    .optional()
    .describe('Audience segment ids, comma separated, as in the list. Scores the creator against them.'),
  campaign_id: uuidInput().optional().describe("A campaign of yours. Scores the creator against its plan's audience."),
}).check(
  z.refine(({ match: segments, campaign_id: campaign }) => segments === undefined || campaign === undefined, {
    path: ['campaign_id'],
    error: 'must be left out when match is sent',
    when: whenObject,
  }),
);

const isBound = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const ordered = (minimum: string, maximum: string) =>
  z.refine<Record<string, unknown>>(
    (query) => {
      const [from, to] = [query[minimum], query[maximum]];
      return !isBound(from) || !isBound(to) || from <= to;
    },
    { path: [minimum], error: `must not be above ${maximum}`, when: whenObject },
  );

/** The query of GET /creators (docs/specification.md#browse-creators; bounds of docs/domain/network.md#lists). */
export const CreatorsQuery = closed({
  q: codePoints({ max: 100 }).optional().describe('Text in the name, handle or bio.'),
  segment: segment()
    .optional()
    .describe('Lists creators of this audience segment. Without match, it is the audience to score against.'),
  reach_band: oneOf(REACH_BANDS)
    .optional()
    .describe('Size by number of followers, from nano (smallest) to mega (largest).'),
  goal: oneOf(GOALS).optional().describe('The campaign goal. Affects the format advice.'),
  match: match()
    .optional()
    .describe(
      '1 to 10 of the ids that segment accepts, comma separated: the audience to score against. Sorts by match_score.',
    ),
  limit: queryInteger({ min: 1, max: 50 }).optional().describe('Page size. Default: 24.'),
  offset: queryInteger({ min: 0 }).optional().describe('Start of the page. The next page starts at offset plus limit.'),
  fit: queryBoolean().optional().describe('If true, lists only creators who reach the audience in force.'),
  country: codePoints({ max: 100 })
    .optional()
    .describe('One country, by a name in use or its ISO 3166 code: Germany, Deutschland or DE.'),
  language: codePoints({ max: 100 }).optional().describe('The exact English name, in any case.'),
  followers_min: queryInteger().optional().describe('Minimum number of followers.'),
  followers_max: queryInteger().optional().describe('Maximum number of followers.'),
  er_min: queryNumber({ max: 100 }).optional().describe('Minimum engagement rate over 30 days, in percent.'),
  match_min: queryInteger({ max: 100 }).optional().describe('Minimum match score. Requires match.'),
  format: oneOf(FORMATS)
    .optional()
    .describe('Lists only creators who sell this format. Price filters then apply to it.'),
  price_min: queryInteger().optional().describe('Minimum all-in price in US dollars.'),
  price_max: queryInteger().optional().describe('Maximum all-in price in US dollars.'),
  on_sale: queryBoolean()
    .optional()
    .describe('If true, lists only creators with a post on sale now; if false, only those without one.'),
  sort: oneOf(CREATOR_SORTS).optional().describe('Default: match.'),
  dir: oneOf(['desc', 'asc']).optional().describe('Default: desc.'),
  budget: queryInteger({ min: 1 })
    .optional()
    .describe('Campaign budget in US dollars. Sets the default of limit, as shortlist explains; it does not filter.'),
}).check(
  ordered('followers_min', 'followers_max'),
  ordered('price_min', 'price_max'),
  z.refine((query) => query.match_min === undefined || query.match !== undefined, {
    path: ['match_min'],
    error: 'requires match, the audience segments to score against',
    when: whenObject,
  }),
);
export type CreatorsQuery = z.output<typeof CreatorsQuery>;

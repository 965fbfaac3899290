import { z } from 'zod';
import { CATEGORIES, FORMATS, GOALS } from '../catalog/words.js';
import { publicText } from '../fields.js';
import {
  closed,
  codePoints,
  dateInput,
  integerInput,
  lineInput,
  listInput,
  oneOf,
  postUrlInput,
  usdInput,
  uuidInput,
} from '../input.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';
import { REPLACEMENTS } from './replacements.js';

/** Problems are reported in the order of its fields (docs/specification.md#campaigninput). */
export const CampaignInput = closed({
  goal: oneOf(GOALS).describe('The goal of the campaign.'),
  product: codePoints({ max: 2_000 }).describe('What is promoted.'),
  moment: codePoints({ max: 2_000 }).describe('What goes live, and on which day.'),
  window_start: dateInput().describe('First day of the launch window, UTC: today or later.'),
  window_end: dateInput().describe('Last day of the launch window: on or after window_start, at most one year later.'),
  budget_usd: usdInput({ max: 10_000_000 }).describe('The most that the plan may cost, in US dollars.'),
  audience: codePoints({ min: 10, max: 2_000 })
    .optional()
    .describe('Who should see it, in words. Default: the audience of the company context.'),
  geography: codePoints({ max: 200 }).optional().describe('Where the audience is. Default: worldwide.'),
  company: lineInput({ max: 200 }).optional().describe("The company's name. Default: the name in the company context."),
  desired_outcome: codePoints({ max: 500 })
    .optional()
    .describe('What the campaign should achieve. Default: the usual outcome of the goal.'),
  category: oneOf(CATEGORIES)
    .optional()
    .describe('The category of the product. If left out, only the texts are screened.'),
  max_creators: integerInput({ min: 1, max: 40 }).optional().describe('The most creators that the plan may have.'),
  formats: listInput(oneOf(FORMATS), { min: 1, max: FORMATS.length })
    .optional()
    .describe('The formats that the plan may buy. Default: all.'),
  max_price_usd: usdInput({ max: 10_000_000 }).optional().describe('The most that one post may cost, in US dollars.'),
  exclude_creator_ids: listInput(uuidInput(), { max: 200 })
    .optional()
    .describe('Creators that the plan must not have, by the ids of creators_search.'),
  launch_post_url: postUrlInput()
    .optional()
    .describe(
      'Your own post on X that creators quote. Creators who quote it are shown the link; it may be set until the last of them is live.',
    ),
  replacements: oneOf(REPLACEMENTS)
    .optional()
    .describe(
      'Who replaces a creator who declines. auto (default): the search, at once. ask: you, within a day; then the search.',
    ),
}).meta({ id: 'CampaignInput' });
export type CampaignInput = z.output<typeof CampaignInput>;

export const campaignInputOperations = defineOperations('planning', {
  campaign_input_problems: {
    ...internalReads,
    callers: ['gateway'],
    summary: 'Lists problems of a campaign input that depend on the current day or the company context.',
    body: z.object({ sent: z.record(z.string(), z.unknown()) }),
    output: z.object({ problems: z.array(z.object({ field: publicText(), message: publicText() })) }),
  },
});

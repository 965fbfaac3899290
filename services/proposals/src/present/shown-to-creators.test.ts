import { CampaignInput, CreatorGuidelines, CreatorProposal } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';

/** Where whoever performs a post reads a field of the brief: a field of the proposal, or why it stays internal. */
const BRIEF: Readonly<Record<string, string>> = {
  goal: 'internal: it decides formats and days, which the proposal shows',
  product: 'product',
  moment: 'internal: it decides the day, which the proposal shows',
  window_start: 'window',
  window_end: 'window',
  budget_usd: 'internal: what the brand spends',
  audience: 'internal: whom the plan is built for',
  geography: 'internal: whom the plan is built for',
  company: 'company',
  desired_outcome: 'internal: how the brand measures the campaign',
  category: 'internal: screening',
  max_creators: 'internal: what the plan is built of',
  formats: 'format',
  max_price_usd: 'internal: what the brand spends',
  exclude_creator_ids: 'internal: names other creators',
  launch_post_url: 'launch_post_url',
  replacements: 'internal: what happens after a refusal',
};

const GUIDELINES: Readonly<Record<string, string>> = {
  pitch: 'pitch',
  key_messages: 'guidelines',
  references: 'guidelines',
  voice: 'guidelines',
  dos: 'dos',
  donts: 'donts',
};

describe('a field that a brand writes', () => {
  test.each([
    ['the brief', Object.keys(CampaignInput.shape), BRIEF],
    ['the guidelines', Object.keys(CreatorGuidelines.shape), GUIDELINES],
  ])('of %s reaches the creator, or is internal', (_of, fields, table) => {
    expect(new Set(Object.keys(table))).toEqual(new Set(fields));
    for (const [field, shown] of Object.entries(table)) {
      if (!shown.startsWith('internal: '))
        expect([field, Object.keys(CreatorProposal.shape)]).toEqual([field, expect.arrayContaining([shown])]);
    }
  });
});

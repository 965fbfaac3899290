import { z } from 'zod';
import { publicText, Uuid } from '../fields.js';
import { closed, codePoints, listInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandWrites, internalReads } from '../operation-kinds.js';
import { publicUrlInput } from '../outside-text/public-url.js';
import { campaignParams } from './inputs.js';

/** What creators read about a campaign; all six fields are always present (docs/specification.md#creatorguidelines). */
export const CreatorGuidelines = z
  .object({
    pitch: publicText(),
    key_messages: z.array(publicText()),
    references: z.array(publicText()),
    voice: publicText(),
    dos: z.array(publicText()),
    donts: z.array(publicText()),
  })
  .meta({ id: 'CreatorGuidelines' });
export type CreatorGuidelines = z.infer<typeof CreatorGuidelines>;

const LIST_MAX = 8;

const listOf = (item: z.ZodType<string, unknown>) => listInput(item, { max: LIST_MAX }).optional();

const guidelineText = () => codePoints({ max: 200 });

/** A field left out is cleared (docs/specification.md#creatorguidelines, docs/domain/plans.md#creator-guidelines). */
export const CreatorGuidelinesInput = closed({
  pitch: codePoints({ min: 0, max: 800 }).optional(),
  key_messages: listOf(guidelineText()),
  references: listOf(publicUrlInput({ max: 500 })),
  voice: codePoints({ min: 0, max: 300 }).optional(),
  dos: listOf(guidelineText()),
  donts: listOf(guidelineText()),
}).meta({ id: 'CreatorGuidelinesInput' });
export type CreatorGuidelinesInput = z.output<typeof CreatorGuidelinesInput>;

/** What the creators of a campaign may read of it (docs/domain/pages.md#creator-links). */
export const CreatorBrief = z.object({
  company: publicText().nullable(),
  product: publicText().nullable(),
  /** The post that quotes quote; null while the brand has not named it. */
  launch_post_url: publicText().nullable(),
  guidelines: CreatorGuidelines,
});
export type CreatorBrief = z.infer<typeof CreatorBrief>;

const GuidelinesSet = z
  .object({ campaign_id: Uuid, creator_guidelines: CreatorGuidelines })
  .meta({ id: 'GuidelinesSet' });

export const guidelineOperations = defineOperations('planning', {
  set_creator_guidelines: {
    ...brandWrites('campaigns:write'),
    rest: { method: 'POST', path: '/campaigns/{id}/creator-guidelines', root: 'v1' },
    tool: {
      rank: 10,
      title: 'Set creator guidelines',
      description:
        'Replaces the guidelines that creators read about a campaign. A field left out is cleared, so send every field that should stay. Creators see pitch, dos and donts with the proposal, and all fields once they accept. Scope campaigns:write and a mandate.',
      hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    },
    summary: 'Sets the guidelines that creators read about a campaign.',
    params: campaignParams,
    body: CreatorGuidelinesInput,
    output: GuidelinesSet,
    conflicts: ['archived', 'category_banned', 'category_review'],
  },
  creator_brief: {
    ...internalReads,
    callers: ['proposals'],
    summary: 'Returns what the creators of a campaign may read: company, product, launch post and guidelines.',
    body: z.object({ id: z.string() }),
    output: CreatorBrief,
  },
});

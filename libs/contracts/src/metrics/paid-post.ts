import { z } from 'zod';
import { DEPRECATED_FIELDS } from '../deprecated.js';
import { Count, paidText, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import { closed, uuidInput } from '../input.js';

export const campaignQuery = () =>
  closed({
    campaign_id: uuidInput().optional().describe('Only posts of this campaign. Default: the 500 newest posts.'),
  });

/** Whose post it is. The handle shows here because only paid orders have posts. */
const PostCreator = z
  .object({ id: Uuid, name: redactedText().nullable(), handle: paidText().nullable() })
  .meta({ id: 'PostCreator' });

/** The first reading at or after seven days (docs/specification.md#evidenceitem, still_up). */
const StillUp = z
  .object({ checked_at: Timestamp, views: Count.nullable(), line: publicText() })
  .meta({ id: 'StillUp' });

/** The fields that proof and results of a paid post share. */
export const paidPost = {
  id: Uuid,
  line_id: Uuid.optional().meta({ description: 'The line of the plan; same as id.' }),
  creator: PostCreator.optional(),
  campaign_id: Uuid,
  brief_id: Uuid.optional().meta({
    deprecated: true,
    'x-sunset': DEPRECATED_FIELDS.brief_id,
    description: 'Same as campaign_id.',
  }),
  campaign: publicText(),
  slot: publicText(),
  status: z.enum(['live', 'completed']),
  status_label: publicText(),
  date: publicText(),
  proof_url: paidText().nullable(),
  published_at: Timestamp.nullable(),
  disclosure: redactedText().nullable(),
  still_up: StillUp.nullable(),
  cancelled: z.literal(true).optional().meta({
    description: 'The line was cancelled or its order refunded after the post ran. Absent otherwise.',
  }),
} as const;

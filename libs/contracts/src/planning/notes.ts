import { z } from 'zod';
import { publicText } from '../fields.js';

/** What a note is about, most important first (docs/domain/plans.md#notes). */
export const NOTE_KINDS = [
  'no_plan',
  'change_answered',
  'mandate_below_budget',
  'over_own_limits',
  'audience_not_understood',
  'geography_not_understood',
  'geography_not_shown',
  'launch_post_missing',
  'short_window',
  'launch_day',
  'no_launch_day',
  'also_in_other_plan',
  'money_left',
  'replacement_choice',
  'replacement_search',
  'post_blocked',
  'credited',
] as const;

export const MOST_NOTES = 8;

/** Something a colleague would mention about a campaign; never a price that is not the brand's own. */
export const Note = z
  .object({
    kind: z.enum(NOTE_KINDS),
    text: publicText(),
    fields: z.array(publicText()).meta({ description: 'The input fields that the note is about.' }),
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof Note>;

/** Notes in an answer; absent in answers recorded before there were notes. */
export const notesField = () =>
  z
    .array(Note)
    .max(MOST_NOTES)
    .optional()
    .meta({ description: 'What a colleague would mention, most important first. Nothing here needs a reply.' });

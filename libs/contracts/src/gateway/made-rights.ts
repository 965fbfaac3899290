import { z } from 'zod';
import { publicText, Uuid } from '../fields.js';

/** What a member made in the brand, by id, with a name to recognise it by (docs/domain/access.md#rights). */
const MadeRight = z
  .object({
    kind: z.enum(['client', 'invitation', 'key', 'member', 'webhook']),
    id: Uuid,
    name: publicText(),
    workspace: Uuid.nullable().meta({
      description: 'null for an invitation or a member, which are of the whole brand.',
    }),
  })
  .meta({ id: 'MadeRight' });
export type MadeRight = z.infer<typeof MadeRight>;

export const rights = () => ({
  ended: z.array(MadeRight).meta({ description: 'What ended with it, child keys that clients made included.' }),
  stays: z.array(MadeRight).meta({ description: "What the member made and stays, since it is the brand's." }),
});

import { z } from 'zod';
import { publicText } from './fields.js';

/** How a guest gets an account: the pages in order, and what to do with the key (docs/domain/mcp.md#guests). */
export const Claim = z
  .object({
    url: publicText().meta({ description: 'Where to sign up.' }),
    developers_url: publicText().meta({ description: 'Where an approved brand makes a key.' }),
    sign_in: publicText().meta({ description: 'Where a client with OAuth signs in.' }),
    key: publicText().meta({ description: 'What to do with the key.' }),
  })
  .meta({ id: 'Claim' });
export type Claim = z.infer<typeof Claim>;

export const claimAt = (appUrl: string): Claim => ({
  url: `${appUrl}/signup?from=guest`,
  developers_url: `${appUrl}/developers`,
  sign_in: `${appUrl}/connect`,
  key: 'Create a key in Developers and send it as Authorization: Bearer.',
});

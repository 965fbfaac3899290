import { z } from 'zod';
import { FORMATS } from '../catalog/words.js';
import { closed, integerInput, listInput, oneOf, patternInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { visitorOperation } from './sessions.js';

/** What creators agree to when they apply. A change of the text is a new version. */
export const APPLY_CONSENT = {
  version: '2026-11-23',
  text: 'I run this account. You may keep its name, its followers and my prices, read its public profile and posts, and send me proposals for paid posts until I stop them.',
} as const;

const MOST_FOLLOWERS = 1_000_000_000;
const ASK_CENTS = { min: 1_00, max: 1_000_000_00 } as const;

const units = () =>
  listInput(closed({ format: oneOf(FORMATS), ask_cents: integerInput(ASK_CENTS) }), {
    min: 1,
    max: FORMATS.length,
  }).refine((asks) => new Set(asks.map(({ format }) => format)).size === asks.length, {
    error: 'must name each format once',
  });

export const creatorApplyOperations = defineOperations('gateway', {
  creator_apply: {
    ...visitorOperation,
    rest: { method: 'POST', path: '/api/creator/apply', root: 'app' },
    summary: 'Applies to join as a creator. The team decides. The answer is the same for every handle.',
    body: closed({
      handle: patternInput(/^@?[A-Za-z0-9_]{1,15}$/, 'must be a name on X: 1 to 15 of A-Z, a-z, 0-9 and _')
        .transform((handle) => handle.replace('@', ''))
        .describe('Your name on X.'),
      followers: integerInput({ min: 0, max: MOST_FOLLOWERS }),
      units: units().describe('What you want for each format that you offer, in US cents.'),
      consent: z.literal(true, { error: 'must be true: read the text and agree to it' }).describe(APPLY_CONSENT.text),
    }),
    output: z.object({ status: z.literal('received') }),
    success: 202,
  },
});

/** The issue that will serve a part of the specification. */
export type Issue = 'network' | 'plans' | 'orders' | 'people' | 'guest';

/** A part of the specification that is not served yet: one id for the whole part, with its number of sentences. */
export type Owed = { source: string; text: string; owed: Issue; sentences: number };

/** What is not served yet, by section. The change that serves an entry breaks it up into claimed sentences. */
export const OWED = {
  'owed.guidelines-read': {
    source: 'spec, "CreatorGuidelines"',
    text: 'Creators read pitch, dos and donts with their proposal, and everything once they accept.',
    owed: 'orders',
    sentences: 2,
  },
  'owed.replacements': {
    source: 'spec, "Proposal state", after declined or no_reply',
    text: 'The next matching creator is found at the paid price, else the line is unfilled.',
    owed: 'orders',
    sentences: 2,
  },
  'owed.sign-in': {
    source: 'spec, "Authentication" 6',
    text: 'A client with OAuth signs in at /connect and then creates a key.',
    owed: 'people',
    sentences: 2,
  },
  'owed.guest-endpoint': {
    source: 'spec, "Tool server", guest endpoint',
    text: 'Six tools at {app_url}/api/mcp/guest, with claim and guest quotes.',
    owed: 'guest',
    sentences: 14,
  },
  'owed.guest-quote-limit': {
    source: 'spec, "Limits", guest quotes',
    text: 'Three guest quotes per client address in seven days.',
    owed: 'guest',
    sentences: 3,
  },
} as const satisfies Record<`owed.${string}`, Owed>;

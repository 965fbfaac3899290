import type { CreatorPost, CreatorProposal } from '@cds/contracts';

const GUIDELINES = {
  pitch: 'Orbit is a vacuum that waters your plants while you travel. Show it in your own home and say what you think.',
  key_messages: ['It finds the plants by itself.', 'One tank lasts two weeks.'],
  references: ['https://example.com/orbit/press'],
  voice: 'Dry, friendly, no superlatives.',
  dos: ['Show the app for a moment.', 'Mention that it is quiet.'],
  donts: ['No prices, and no discount codes.'],
};

/** The token of a link, of the form that the gateway looks up. */
export const aLinkToken = (fill = 'a', number = 1): string =>
  `cdl_0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b_${number}_${fill.padEnd(43, '0')}`;

/** What proposals answers about a proposal that waits for its creator. */
export const aCreatorProposal = (over: Partial<CreatorProposal> = {}): CreatorProposal => ({
  state: 'open',
  may: ['accept', 'decline'],
  sandbox: false,
  expires_at: '2026-11-23T14:03:00.000Z',
  company: 'Acme Robotics',
  product: 'Orbit, the vacuum that waters your plants',
  channel: 'x_creators',
  format: 'post',
  deliverable: 'One post, with the paid partnership label and #ad',
  date: '2026-12-05',
  booked: false,
  window: { start: '2026-12-01', end: '2026-12-20' },
  payout_cents: 45_000,
  payout_state: 'not_due',
  launch_post_url: null,
  pitch: GUIDELINES.pitch,
  dos: GUIDELINES.dos,
  donts: GUIDELINES.donts,
  guidelines: null,
  post: null,
  decline_reason: null,
  proposals: 'open',
  ...over,
});

const ENDED: Partial<CreatorProposal> = { may: [], expires_at: null, pitch: '', dos: [], donts: [] };
const GIVEN_AWAY: Partial<CreatorProposal> = {
  ...ENDED,
  format: null,
  deliverable: null,
  date: null,
  payout_cents: null,
};

const READING: CreatorPost['readings'][number] = {
  captured_at: '2026-12-06T14:00:00.000Z',
  views: 18_402,
  likes: 212,
  comments: 31,
  shares: 12,
  bookmarks: null,
  clicks: 77,
  profile_visits: null,
  source: 'operator',
};
const LIVE: CreatorPost = {
  status: 'live',
  needs: null,
  needs_by: null,
  url: 'https://x.com/demo_ada/status/1730000000000000000',
  published_at: '2026-12-05T14:00:00.000Z',
  disclosure: '#ad',
  readings: [{ ...READING, captured_at: '2026-12-07T09:30:00.000Z', views: 24_010, source: 'creator' }, READING],
  may: ['analytics'],
};
const BLOCKED: CreatorPost = { ...LIVE, status: 'blocked', needs_by: '2026-12-09T14:00:00.000Z', may: ['post'] };
const AWAITED: CreatorPost = {
  status: 'booked',
  needs: 'post',
  needs_by: '2026-12-09T00:00:00.000Z',
  url: null,
  published_at: null,
  disclosure: null,
  readings: [],
  may: ['post'],
};

const BOOKED: Partial<CreatorProposal> = {
  state: 'booked',
  may: ['post'],
  expires_at: null,
  booked: true,
  guidelines: GUIDELINES,
};

/** A proposal in every state that its page tells apart by its words. */
export const CREATOR_PROPOSALS: Readonly<Record<string, Partial<CreatorProposal>>> = {
  open: {},
  sandbox: { sandbox: true, proposals: 'closed' },
  bare: { company: null, product: null, payout_cents: null, pitch: '', dos: [], donts: [] },
  accepted: { state: 'accepted', may: ['date', 'withdraw'], expires_at: null, guidelines: GUIDELINES },
  booked: BOOKED,
  awaited: { ...BOOKED, post: AWAITED },
  missing: { ...BOOKED, post: { ...AWAITED, status: 'blocked' } },
  live: { ...BOOKED, may: ['analytics'], post: LIVE },
  'live-unread': { ...BOOKED, may: ['analytics'], post: { ...LIVE, readings: [] } },
  undisclosed: {
    ...BOOKED,
    may: ['post', 'analytics'],
    post: {
      ...LIVE,
      disclosure: null,
      needs: 'disclosure',
      needs_by: '2026-12-07T10:00:00.000Z',
      may: ['post', 'analytics'],
    },
  },
  blocked: { ...BOOKED, post: { ...BLOCKED, needs: 'disclosure', disclosure: null } },
  gone: { ...BOOKED, post: { ...BLOCKED, needs: 'repost' } },
  ended: { ...BOOKED, may: [], post: { ...BLOCKED, needs: null, needs_by: null, may: [] } },
  completed: { ...BOOKED, may: ['analytics'], post: { ...LIVE, status: 'completed' }, payout_state: 'due' },
  paid: { ...BOOKED, may: ['analytics'], post: { ...LIVE, status: 'completed' }, payout_state: 'paid' },
  declined: { ...ENDED, state: 'declined', decline_reason: 'price', proposals: 'paused' },
  expired: { state: 'expired', may: ['accept'], expires_at: null },
  'expired-for-good': { ...ENDED, state: 'expired' },
  replaced: { ...GIVEN_AWAY, state: 'replaced' },
  closed: { ...ENDED, state: 'closed' },
};

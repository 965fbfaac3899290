import type { Scope } from '@cds/contracts';

/** Each scope in plain words: what a key with it may do, and what to know before giving it. */
export const SCOPE_WORDS: Readonly<Record<Scope, { label: string; help: string }>> = {
  'inventory:read': { label: 'See the network', help: 'How many creators can be booked, per channel.' },
  'audience:read': { label: 'Check an audience', help: 'How well the network reaches the people you describe.' },
  'campaigns:read': { label: 'Read campaigns', help: 'Campaigns, plans and their quotes.' },
  'evidence:read': { label: 'Read proof', help: 'Links and pictures of published posts.' },
  'results:read': { label: 'Read results', help: 'Views and other numbers of published posts.' },
  'brain:read': { label: 'Read your company', help: 'The name, summary and audience you keep with us.' },
  'creators:read': { label: 'Search creators', help: 'Lists and profiles. Opening one counts as a creator view.' },
  'campaigns:write': {
    label: 'Work on campaigns',
    help: 'Start campaigns and change plans. Needs a mandate; spends nothing.',
  },
  'plans:approve': { label: 'Sign plans', help: 'Turns a plan into a paid order. Needs a mandate that allows it.' },
};

export const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  x_creators: 'X creators',
  reddit: 'Reddit',
  clipping: 'Clipping',
  linkedin: 'LinkedIn',
  ugc: 'UGC',
  newsletter: 'Newsletters',
  podcast: 'Podcasts',
  other: 'Other channels',
};

export const ROLE_WORDS: Readonly<Record<string, { label: string; help: string }>> = {
  viewer: { label: 'Viewer', help: 'Reads everything but keys.' },
  member: { label: 'Member', help: 'Also works on campaigns and the company context.' },
  admin: { label: 'Admin', help: 'Also signs plans, and manages keys, mandates and terms.' },
  owner: { label: 'Owner', help: 'Also invites people and changes their roles.' },
};

export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

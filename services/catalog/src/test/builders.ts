import type { CreatorStatus, Format } from '@cds/contracts';
import { DAY_MS } from '../domain/constants.js';
import type { ImportedCreator, ImportedPost, ImportedUnit } from '../domain/import/imported-creator.js';
import { NOW } from './network.js';

let made = 0;

/** A version 4 UUID that shows its number. */
export const anId = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

type UnitOver = { format?: Format; usd?: number; asOf?: string; byTeam?: boolean };

/** A unit that costs `usd` all-in. */
export const aUnit = ({
  format = 'post',
  usd = 100,
  asOf = '2026-11-20',
  byTeam = false,
}: UnitOver = {}): ImportedUnit => ({
  format,
  label: null,
  deliverable: null,
  ask_cents: usd * 75,
  as_of: asOf,
  ...(byTeam ? { source: 'team', method: 'set_price' } : { source: 'creator', method: 'stated' }),
});

/** A post, `ageDays` before the test's time. */
export const aPost = (over: Partial<ImportedPost> & { ageDays?: number; views?: number | null } = {}): ImportedPost => {
  const { ageDays = 2, ...post } = over;
  made += 1;
  return {
    id: `post-${made}`,
    created_at: new Date(Date.parse(NOW) - ageDays * DAY_MS),
    kind: 'post',
    text: 'A plain day.',
    views: 1_000,
    likes: 10,
    replies: 2,
    reposts: 3,
    quotes: 1,
    bookmarks: 4,
    paid_partnership: false,
    ...post,
  };
};

type CreatorOver = Partial<Omit<ImportedCreator, 'generated'>> & {
  id?: string;
  /** The subject of every post. */
  about?: string;
  views?: readonly number[];
  status?: CreatorStatus;
  active?: boolean;
  flag_inactive?: boolean;
  excluded?: boolean;
};

/** An approved creator with ten posts about startup founders and a post on sale for $100; a test overrides the rest. */
export const aCreator = (over: CreatorOver = {}): ImportedCreator => {
  made += 1;
  const number = made;
  const { id, about, views, status, active, flag_inactive, excluded, ...facts } = over;
  const seen = views ?? Array.from({ length: 10 }, (_none, at) => 4_000 + 100 * at);
  return {
    network_id: `test-${number}`,
    handle: `test_${number}`,
    url: `https://example.com/test_${number}`,
    name: `Test ${number}`,
    bio: null,
    followers: 28_000,
    verified_badge: true,
    account_created_at: new Date('2020-01-01T00:00:00.000Z'),
    protected: false,
    parody: false,
    withheld: false,
    country: null,
    language: null,
    posts: seen.map((one, at) =>
      aPost({ ageDays: 2 + at, views: one, text: `Notes on ${about ?? 'startup founders'}.` }),
    ),
    units: [aUnit()],
    generated: {
      seed: 0,
      index: number,
      id: id ?? anId(number),
      unit_ids: {
        post: anId(number * 16 + 0x10_0001),
        quote: anId(number * 16 + 0x10_0002),
        thread: anId(number * 16 + 0x10_0003),
      },
      status: status ?? 'approved',
      active: active ?? true,
      flag_inactive: flag_inactive ?? false,
      excluded: excluded ?? false,
      avatar: null,
      refresh_failed: false,
    },
    ...facts,
  };
};

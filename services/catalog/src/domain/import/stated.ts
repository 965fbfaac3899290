/** What a row states about a creator, merged with what catalog stores (docs/domain/network.md#imports). */
import type { Creator } from '../creator/creator.js';
import type { Refused } from './import-checks.js';
import type { ImportedCreator, ImportedPost } from './imported-creator.js';

type Profile = Pick<
  ImportedCreator,
  | 'name'
  | 'bio'
  | 'followers'
  | 'verified_badge'
  | 'account_created_at'
  | 'protected'
  | 'parody'
  | 'withheld'
  | 'country'
  | 'language'
>;

/** A field left out keeps its stored value. With `network_id` null the creator is known by its handle. */
export type Stated = { [K in keyof Profile]?: Profile[K] | undefined } & Pick<ImportedCreator, 'handle' | 'units'> & {
    network_id: string | null;
    avatar_source?: string | null | undefined;
    /** When left out, posts and figures stay. */
    posts?: ImportedPost[] | undefined;
    /** When left out, the profile page on X. */
    url?: string;
    generated?: ImportedCreator['generated'];
  };

export type ReadRow = { row: number; stated: Stated | null; refused: Refused[] };

const or = <T>(stated: T | undefined, held: T | undefined, otherwise: T): T =>
  stated !== undefined ? stated : held !== undefined ? held : otherwise;

export const completed = (stated: Stated, held: Creator | null): ImportedCreator => {
  const account = held?.account;
  return {
    network_id: stated.network_id ?? held?.network_id ?? '',
    handle: stated.handle,
    url: stated.url ?? `https://x.com/${stated.handle}`,
    name: or(stated.name, held?.name, null),
    bio: or(stated.bio, held?.bio, null),
    followers: or(stated.followers, held?.followers, null),
    verified_badge: or(stated.verified_badge, held?.verified_badge, null),
    account_created_at: or(stated.account_created_at, account?.created_at, null),
    protected: or(stated.protected, account?.protected, false),
    parody: or(stated.parody, account?.parody, false),
    withheld: or(stated.withheld, account?.withheld, false),
    country: or(stated.country, held?.country, null),
    language: or(stated.language, held?.language, null),
    posts: stated.posts ?? [],
    units: stated.units,
    generated: stated.generated ?? null,
  };
};

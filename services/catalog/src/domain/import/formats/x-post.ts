/** Reading one post of the X API (docs/domain/network.md#imports). */
import type { ImportedPost } from '../imported-creator.js';
import { countOf, type Fields, flagOf, isFields, textOf } from './fields.js';

export type XPost = ImportedPost & { conversation: string | null; lang: string | null; former_ids: readonly string[] };

type Head = { id: string; at: Date; kinds: ReadonlySet<string>; conversation: string | null };

export const readPost = (post: Fields, { id, at, kinds, conversation }: Head): XPost => {
  const metrics = isFields(post['public_metrics']) ? post['public_metrics'] : post;
  const engagement = {
    likes: countOf(metrics, 'like_count') ?? null,
    replies: countOf(metrics, 'reply_count') ?? null,
    reposts: countOf(metrics, 'retweet_count') ?? countOf(metrics, 'repost_count') ?? null,
    quotes: countOf(metrics, 'quote_count') ?? null,
    bookmarks: countOf(metrics, 'bookmark_count') ?? null,
  };
  const views = countOf(metrics, 'impression_count') ?? null;
  const engaged = Object.values(engagement).some((count) => (count ?? 0) > 0);
  return {
    id,
    created_at: at,
    kind: kinds.has('quoted') ? 'quote' : 'post',
    text: textIn(post),
    // Engagement without views: the count is unknown, not zero.
    views: views === 0 && engaged ? null : views,
    ...engagement,
    paid_partnership: flagOf(post, 'paid_partnership') ?? false,
    quoted_handle: quotedHandleIn(post),
    conversation,
    lang: textOf(post, 'lang') ?? null,
    former_ids: versionsOf(post).filter((version) => isNewer(id, version)),
  };
};

/** Ids count upwards, so of two versions of a post the one with the higher id is newer. */
export const isNewer = (id: string, than: string): boolean =>
  id.length === than.length ? id > than : id.length > than.length;

const versionsOf = (post: Fields): string[] => {
  const versions = post['edit_history_tweet_ids'] ?? post['edit_history_post_ids'];
  return Array.isArray(versions) ? [...new Set(versions.filter((one) => typeof one === 'string'))] : [];
};

/** What all versions of a post have in common: the id of its first. */
export const originalOf = ({ id, former_ids }: XPost): string =>
  former_ids.reduce((first, one) => (isNewer(first, one) ? one : first), id);

const referencesOf = (post: Fields): Fields[] => {
  const list = post['referenced_tweets'] ?? post['referenced_posts'];
  return Array.isArray(list) ? list.filter(isFields) : [];
};

export const referencedKinds = (post: Fields): ReadonlySet<string> =>
  new Set(referencesOf(post).map(({ type }) => String(type)));

const linksOf = ({ entities }: Fields): { short: string; long: string }[] => {
  const urls = isFields(entities) ? entities['urls'] : undefined;
  return (Array.isArray(urls) ? urls.filter(isFields) : []).flatMap(
    ({ url, expanded_url: expanded, unwound_url: end }) => {
      const long = typeof end === 'string' ? end : expanded;
      return typeof url === 'string' && SHORTENED.test(url) && typeof long === 'string' && ADDRESS.test(long)
        ? [{ short: url, long }]
        : [];
    },
  );
};

const SHORTENED = /^https:\/\/t\.co\/\w+$/;
const ADDRESS = /^https?:\/\/\S+$/;
const STATUS = /^https:\/\/(?:x|twitter)\.com\/(\w{1,15})\/status\/(\d+)/i;

/** X escapes these three characters as HTML. */
const plain = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const textIn = (post: Fields): string => {
  const note = post['note_tweet'] ?? post['note_post'];
  const noted = isFields(note) ? textOf(note, 'text') : undefined;
  const links = linksOf(isFields(note) && noted != null ? note : post);
  return links.reduce(
    (text, { short, long }) => text.replaceAll(short, () => long),
    plain(noted ?? textOf(post, 'text') ?? ''),
  );
};

const quotedHandleIn = (post: Fields): string | null => {
  const quoted = referencesOf(post).find(({ type }) => type === 'quoted')?.['id'];
  for (const { long } of linksOf(post)) {
    const [, handle = null, id] = STATUS.exec(long) ?? [];
    if (id !== undefined && id === quoted) return handle;
  }
  return null;
};

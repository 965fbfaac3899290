/**
 * What posts show of collaborations: whom they quote and name, what they link, and that they were paid for (domain
 * 1-network 7, tracked launches). It is kept so that a launch reaches creators at once, and it identifies people, so it
 * stands in the identity database alone (reliability 3.9).
 */
import { dayOf } from '@cds/service/calendar';
import { resolveAudience } from '../audience/segments.js';
import { EVIDENCE_KEPT_MAX, EVIDENCE_WORDS_MAX, PARTNER_MAX } from '../constants.js';
import { atMost } from '../creator/cleaning.js';

/** What matching reads of a post, before its text is cleaned. */
export type CollabPost = {
  id: string;
  created_at: Date;
  text: string;
  paid_partnership: boolean;
  quoted_handle?: string | null | undefined;
};

/** What one post shows. Handles are bare and in lower case, links without scheme, www and a slash at the end. */
export type PostEvidence = {
  id: string;
  day: string;
  quoted: string | null;
  named: string[];
  links: string[];
  /** Of a post that says it was paid for: the partner as it names it, and the segments of its text. */
  paid: { project: string; segments: string[] } | null;
};

/** A handle without its @, in lower case. */
export const bare = (handle: string): string => handle.replace(/^@/, '').toLowerCase();

/** Host and path of a site, without scheme, www and a slash at the end. */
export const siteOf = (site: string): string =>
  site
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '');

const LINK_MAX = 300;
const isLink = (word: string): boolean => word.length <= LINK_MAX && /^[^\s/?#]+\.[a-z0-9-]{2,}/u.test(word);

const linksIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => siteOf(word.replace(/^[("'<]+|[)"'>.,;:!?]+$/g, '')))
    .filter(isLink);

const namedIn = (text: string): string[] =>
  (text.toLowerCase().match(/(?<!\w)[@\uFF20]\w{1,30}/gu) ?? []).map((mention) => mention.slice(1));

const DISCLOSURE = /(?:^|[^\p{L}\p{N}_#])#(?:ad|sponsored)(?![\p{L}\p{N}_])|paid partnership with/iu;
/** Capitalised words behind the phrase, in one line: a dot that ends a word ends the name. */
const PARTNER_WORD = String.raw`[\p{Lu}\p{N}](?:[\p{L}\p{N}_&'’-]|\.(?=[\p{L}\p{N}]))*`;
const PARTNER = new RegExp(
  String.raw`paid partnership with[^\S\n]+(${PARTNER_WORD}(?:[^\S\n]+${PARTNER_WORD}){0,3})`,
  'u',
);

/** Whether a post says that it was paid for: the network's mark or a disclosure tag. */
export const isDisclosed = (post: Pick<CollabPost, 'text' | 'paid_partnership'>): boolean =>
  post.paid_partnership || DISCLOSURE.test(post.text);

/** The project of a partnership whose partner the post does not name. */
export const PARTNER_NOT_NAMED = 'Partner not named';

const partnerOf = (text: string): string =>
  PARTNER.exec(text.replace(/paid partnership with/giu, 'paid partnership with'))?.[1]?.replace(/['’-]+$/, '') ??
  PARTNER_NOT_NAMED;

const distinct = (words: readonly string[]): string[] => [...new Set(words)].slice(0, EVIDENCE_WORDS_MAX);

/** What a post shows; null when it shows nothing. `clean` takes handles and links out of a partner's name. */
export const evidenceIn = (post: CollabPost, clean: (text: string) => string): PostEvidence | null => {
  const evidence: PostEvidence = {
    id: post.id,
    day: dayOf(post.created_at),
    quoted: post.quoted_handle ? bare(post.quoted_handle) : null,
    named: distinct(namedIn(post.text)),
    links: distinct(linksIn(post.text)),
    paid: isDisclosed(post)
      ? {
          project: atMost(clean(partnerOf(post.text)), PARTNER_MAX) || PARTNER_NOT_NAMED,
          segments: resolveAudience(post.text).segments.map(({ id }) => id),
        }
      : null,
  };
  const { quoted, named, links, paid } = evidence;
  return quoted === null && paid === null && named.length + links.length === 0 ? null : evidence;
};

/**
 * The evidence that is kept after a sync, newest first: that of the posts it states, and of former posts what a
 * collaboration rests on.
 */
export const evidenceAfter = (
  held: readonly PostEvidence[],
  posts: readonly CollabPost[],
  clean: (text: string) => string,
  carries: (evidence: PostEvidence) => boolean,
): PostEvidence[] => {
  const stated = new Set(posts.map(({ id }) => id));
  const kept = held.filter((evidence) => !stated.has(evidence.id) && (evidence.paid !== null || carries(evidence)));
  return [...posts.flatMap((post) => evidenceIn(post, clean) ?? []), ...kept]
    .sort((one, other) => (one.day === other.day ? 0 : one.day < other.day ? 1 : -1))
    .slice(0, EVIDENCE_KEPT_MAX);
};

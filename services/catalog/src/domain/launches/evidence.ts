/**
 * Whom posts quote, name and link, and whether they were paid for: so that a new launch reaches creators at once. In
 * the identity database alone, since it identifies people (docs/reliability.md#handles).
 */
import { dayOf } from '@cds/service/calendar';
import { segmentsIn } from '../audience/segments.js';
import { EVIDENCE_KEPT_MAX, EVIDENCE_WORDS_MAX, PARTNER_MAX } from '../constants.js';
import { atMost } from '../creator/cleaning.js';

export type CollabPost = {
  id: string;
  created_at: Date;
  text: string;
  paid_partnership: boolean;
  quoted_handle?: string | null | undefined;
  former_ids?: readonly string[] | undefined;
};

/** The evidence in one post. Handles are lower case without @; links have no scheme, www or trailing slash. */
export type PostEvidence = {
  id: string;
  day: string;
  quoted: string | null;
  named: string[];
  links: string[];
  /** For a disclosed paid post: the partner it names, and the segments of its text. */
  paid: { project: string; segments: string[] } | null;
};

export const bare = (handle: string): string => handle.replace(/^@/, '').toLowerCase();

/** The host and path of a site, without scheme, www or trailing slash. */
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
const PARTNER_WORD = String.raw`[\p{Lu}\p{N}](?:[\p{L}\p{N}_&'’-]|\.(?=[\p{L}\p{N}]))*`;
const PARTNER = new RegExp(
  String.raw`paid partnership with[^\S\n]+(${PARTNER_WORD}(?:[^\S\n]+${PARTNER_WORD}){0,3})`,
  'u',
);

export const isDisclosed = (post: Pick<CollabPost, 'text' | 'paid_partnership'>): boolean =>
  post.paid_partnership || DISCLOSURE.test(post.text);

/** The project of a partnership when the post does not name the partner. */
export const PARTNER_NOT_NAMED = 'Partner not named';

const partnerOf = (text: string): string =>
  PARTNER.exec(text.replace(/paid partnership with/giu, 'paid partnership with'))?.[1]?.replace(/['’-]+$/, '') ??
  PARTNER_NOT_NAMED;

const distinct = (words: readonly string[]): string[] => [...new Set(words)].slice(0, EVIDENCE_WORDS_MAX);

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
          segments: segmentsIn(post.text).segments.map(({ id }) => id),
        }
      : null,
  };
  const { quoted, named, links, paid } = evidence;
  return quoted === null && paid === null && named.length + links.length === 0 ? null : evidence;
};

/** Newest first: the evidence of these posts, and of earlier ones which a collaboration rests on. */
export const evidenceAfter = (
  held: readonly PostEvidence[],
  posts: readonly CollabPost[],
  clean: (text: string) => string,
  carries: (evidence: PostEvidence) => boolean,
): PostEvidence[] => {
  const stated = new Set(posts.flatMap(({ id, former_ids = [] }) => [id, ...former_ids]));
  const kept = held.filter((evidence) => !stated.has(evidence.id) && (evidence.paid !== null || carries(evidence)));
  const cleaned = kept.map(({ paid, ...evidence }) => ({
    ...evidence,
    paid: paid && { ...paid, project: clean(paid.project) || PARTNER_NOT_NAMED },
  }));
  return [...posts.flatMap((post) => evidenceIn(post, clean) ?? []), ...cleaned]
    .sort((one, other) => (one.day === other.day ? 0 : one.day < other.day ? 1 : -1))
    .slice(0, EVIDENCE_KEPT_MAX);
};

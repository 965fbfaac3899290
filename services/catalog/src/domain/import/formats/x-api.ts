/** Reads X API v2 JSON: users and their posts, in any order and over several pages (docs/domain/network.md#imports). */
import { HELD_POSTS } from '../../constants.js';
import { windowOf } from '../../creator/figures.js';
import type { Refused } from '../import-checks.js';
import type { ReadRow, Stated } from '../stated.js';
import {
  BadField,
  countOf,
  dayOrInstantIn,
  type Fields,
  fieldsOf,
  flagOf,
  idOf,
  instantOf,
  isFields,
  textOf,
} from './fields.js';
import { languageOfCode } from './language.js';
import { handleIn } from './neutral.js';
import { isNewer, originalOf, readPost, referencedKinds, type XPost } from './x-post.js';

/** The lists we read; everything else, `location` included, is ignored. */
export const X_LISTS: ReadonlySet<string> = new Set(['data', 'includes.users', 'errors']);
export const X_SINGLES: ReadonlySet<string> = new Set(['data']);

/** The share of posts that decides a creator's language (docs/domain/network.md#imports). */
const LANGUAGE_SHARE = 0.6;
const NO_LANGUAGE: ReadonlySet<string> = new Set(['und', 'zxx', 'qam', 'qct', 'qht', 'qme', 'qst', 'art']);

/** A user with its posts by the id of their first version. Users beside `data` are there because posts name them. */
type Held = { row: number; list: string; stated: Stated; posts: Map<string, XPost>; threads: Set<string> };

export class XPages {
  private readonly users = new Map<string, Held>();
  /** A user may follow its posts, so authors are resolved at the end. */
  private readonly posts: { row: number; author: string; post: XPost | null; threadOf: string | null }[] = [];
  private readonly authors = new Set<string>();
  private readonly refusedRows: Refused[] = [];

  /** `asOf` is when the facts are true: the stored posts are those of the 30 days before. */
  constructor(private readonly asOf: Date) {}

  take(list: string, row: number, value: unknown): void {
    try {
      if (list === 'errors') this.refuse(row, 'errors', errorText(isFields(value) ? value : {}));
      else if (list === 'includes.users' || (isFields(value) && 'username' in value && !('author_id' in value)))
        this.takeUser(row, fieldsOf(value, list), list);
      else this.takePost(row, fieldsOf(value, list));
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      const field = error.field === list ? list : `${list}.${error.field}`;
      this.refuse(row, field, error.message);
    }
  }

  finish(): { rows: ReadRow[]; refused: Refused[] } {
    for (const { row, author, post, threadOf } of this.posts) {
      const held = this.users.get(author);
      if (held === undefined) this.refuse(row, 'data.author_id', 'names an author whose user is not in the file');
      else if (threadOf !== null) held.threads.add(threadOf);
      else if (post !== null) this.hold(held, post, row);
    }
    const rows = [...this.users]
      .filter(([id, { list }]) => list === 'data' || this.authors.has(id))
      .map(([, held]): ReadRow => ({ row: held.row, stated: this.statedOf(held), refused: [] }));
    return { rows, refused: this.refusedRows };
  }

  private hold({ posts }: Held, post: XPost, row: number): void {
    const original = originalOf(post);
    const other = posts.get(original);
    if (other?.id === post.id) this.refuse(row, 'data.id', 'must appear only once');
    else if (other === undefined || isNewer(post.id, other.id)) posts.set(original, post);
  }

  private refuse(row: number, field: string, message: string): void {
    this.refusedRows.push({ row, field, message });
  }

  private takeUser(row: number, user: Fields, list: string): void {
    const id = idOf(user, 'id');
    const known = this.users.get(id);
    if (known !== undefined && (known.list === list || list !== 'data')) return;
    const metrics = isFields(user['public_metrics']) ? user['public_metrics'] : user;
    this.users.set(id, {
      row: list === 'data' ? row : this.users.size,
      list,
      posts: new Map(),
      threads: new Set(),
      stated: {
        network_id: id,
        handle: handleIn(user['username'], 'username'),
        name: textOf(user, 'name'),
        bio: textOf(user, 'description'),
        account_created_at: instantOf(user, 'created_at'),
        protected: flagOf(user, 'protected'),
        parody: flagOf(user, 'parody'),
        withheld: user['withheld'] === undefined ? undefined : isFields(user['withheld']) || user['withheld'] === true,
        verified_badge: flagOf(user, 'verified'),
        avatar_source: textOf(user, 'profile_image_url'),
        followers: countOf(metrics, 'followers_count'),
        units: [],
      },
    });
  }

  private takePost(row: number, post: Fields): void {
    const id = idOf(post, 'id');
    const author = idOf(post, 'author_id');
    this.authors.add(author);
    const at = dayOrInstantIn(post['created_at']);
    if (at === null) throw new BadField('created_at', 'must be an ISO 8601 date-time');
    const kinds = referencedKinds(post);
    const conversation = textOf(post, 'conversation_id') ?? null;
    const repliedTo = post['in_reply_to_user_id'] ?? null;
    if (kinds.has('retweeted') || kinds.has('reposted')) return;
    if (kinds.has('replied_to') || repliedTo !== null) {
      // An author's reply in their own conversation makes its first post a thread.
      if (repliedTo === author && conversation !== null && conversation !== id)
        this.posts.push({ row, author, post: null, threadOf: conversation });
      return;
    }

    this.posts.push({ row, author, threadOf: null, post: readPost(post, { id, at, kinds, conversation }) });
  }

  private statedOf({ stated, posts, threads }: Held): Stated {
    if (posts.size === 0) return stated;
    const all = [...posts.values()].sort((one, other) => other.created_at.getTime() - one.created_at.getTime());
    const held = windowOf(all, this.asOf).slice(0, HELD_POSTS);
    return {
      ...stated,
      language: languageOf(held.map(({ lang }) => lang)),
      posts: all.map((post) => {
        const { conversation, lang: _lang, ...stored } = post;
        const begins = post.kind === 'post' && threads.has(conversation ?? originalOf(post));
        return { ...stored, kind: begins ? 'thread' : post.kind };
      }),
    };
  }
}

/** What X could not give, and why. A user asked for by handle is not named, since reports may not hold handles. */
const errorText = (error: Fields): string => {
  const id = [error['resource_id'], error['value']].find((one) => typeof one === 'string' && /^\d+$/.test(one));
  const kind = typeof error['resource_type'] === 'string' ? error['resource_type'] : 'entry';
  const reason = (id === undefined ? undefined : error['detail']) ?? error['title'] ?? 'it gave no reason';
  return `X gave no ${kind}${id === undefined ? '' : ` ${id}`}: ${String(reason)}`
    .replace(/\p{C}/gu, ' ')
    .slice(0, 300);
};

/** The English name of the language of at least 60% of the posts; undefined if none reaches that. */
const languageOf = (codes: readonly (string | null)[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const code of codes) if (code !== null && !NO_LANGUAGE.has(code)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const [best] = [...counts].sort((one, other) => other[1] - one[1]);
  return best === undefined || best[1] < LANGUAGE_SHARE * codes.length
    ? undefined
    : (languageOfCode(best[0]) ?? undefined);
};

import type { PostAct, PostNeed, Problem } from '@cds/contracts';
import { columnNames, countIn, countStyle, csvRecords, otherSeparator } from '@cds/service/csv';
import { isUnderWay, type Post, submissionOf } from './post.js';
import { FIGURES, type Metrics, metricsOf } from './reading.js';
import { readPostUrl } from './submission.js';

export type Needs = { what: PostNeed; by: Date | null };

export const needsOf = (post: Post): Needs | null => {
  if (!isUnderWay(post)) return null;
  if (post.status === 'booked') return { what: 'post', by: post.missing_at };
  if (post.status === 'live')
    return post.undisclosed_at == null ? null : { what: 'disclosure', by: post.undisclosed_at };
  if (post.status === 'completed') return null;
  const by = post.remedy_at ?? null;
  if (post.blocked_reason === 'post_gone') return { what: 'repost', by };
  return { what: post.blocked_reason === 'no_disclosure' ? 'disclosure' : 'post', by };
};

/** `post` also while the post shows no disclosure yet, `analytics` while it is up. */
export const postActsOf = (post: Post): PostAct[] => [
  ...(submissionOf(post) === 'none' ? [] : (['post'] as const)),
  ...(isUp(post) ? (['analytics'] as const) : []),
];

const isUp = (post: Post): boolean =>
  post.published_at !== null && post.gone_at === null && post.booked && !post.stopped && post.status !== 'blocked';

const MARKS: readonly { pattern: RegExp; shown: (match: string) => string }[] = [
  { pattern: /#ad(?![\p{L}\p{N}_])/iu, shown: () => '#ad' },
  { pattern: /#sponsored(?![\p{L}\p{N}_])/iu, shown: () => '#sponsored' },
  { pattern: /paid partnership with \S.*/iu, shown: (match) => `Paid${match.slice('paid'.length)}` },
];

/** A label is what the team sees on the post, not what its creator says (docs/domain/orders.md#proof). */
export const ownDisclosure = (text: string): string | null => {
  for (const { pattern, shown } of MARKS) {
    const [match] = pattern.exec(text) ?? [];
    if (match !== undefined) return shown(match.trim());
  }
  return null;
};

export type SentAnalytics = { readonly [K in keyof Metrics]?: number | undefined } & { csv?: string | undefined };

/** The columns of X's exports, and our own names; of several the first one counts. Lower case. */
const COLUMNS: Readonly<Record<keyof Metrics, readonly string[]>> = {
  views: ['impressions', 'views'],
  likes: ['likes'],
  comments: ['replies', 'comments'],
  // The export's own "Shares" counts taps on the share button.
  shares: ['reposts', 'retweets', 'shares'],
  bookmarks: ['bookmarks'],
  clicks: ['url clicks', 'link clicks', 'clicks'],
  profile_visits: ['profile visits', 'user profile clicks', 'profile_visits'],
};
const IDS = ['post id', 'tweet id', 'id'] as const;
const LINKS = ['post link', 'post permalink', 'tweet permalink', 'url'] as const;

export const figuresSent = (sent: SentAnalytics, postId: string): Metrics | Problem[] => {
  const typed = FIGURES.filter((figure) => sent[figure] !== undefined);
  if (sent.csv !== undefined && typed.length > 0)
    return typed.map((field) => ({ field, message: 'goes only without csv' }));
  if (sent.csv !== undefined) return figuresOfExport(sent.csv, postId);
  if (typed.length === 0) return [{ field: 'views', message: 'is required unless another figure or csv is sent' }];
  return metricsOf((figure) => sent[figure] ?? null);
};

const figuresOfExport = (csv: string, postId: string): Metrics | Problem[] => {
  const wrong = (message: string): Problem[] => [{ field: 'csv', message }];
  const [head = [], ...rows] = csvRecords(csv) ?? [];
  const separated = otherSeparator(head);
  if (separated !== null) return wrong(separated);
  const names = columnNames(head);
  const cell = (row: readonly string[], columns: readonly string[]): string => {
    const column = columns.map((name) => names.indexOf(name)).find((at) => at >= 0);
    return column === undefined ? '' : (row[column] ?? '').trim();
  };
  const isOfPost = (row: readonly string[]): boolean =>
    cell(row, IDS) === postId || readPostUrl(cell(row, LINKS))?.postId === postId;
  const row = rows.find(isOfPost);
  if (row === undefined) return wrong(`must be X's export with a row of your post, whose id is ${postId}`);

  const style = countStyle(rows.flatMap((one) => FIGURES.map((figure) => cell(one, COLUMNS[figure]))));
  const counts = FIGURES.map((figure) => ({ figure, count: countIn(cell(row, COLUMNS[figure]), style) }));
  for (const { figure, count } of counts)
    if (typeof count === 'object' && count !== null)
      return wrong(`is not clear: ${figure} of your post ${count.wrong}`);
  if (counts.every(({ count }) => count === null)) return wrong('must have a figure of your post, such as Impressions');
  return metricsOf((name) => {
    const count = counts.find(({ figure }) => figure === name)?.count;
    return typeof count === 'number' ? count : null;
  });
};

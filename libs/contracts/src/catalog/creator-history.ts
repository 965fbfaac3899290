import { z } from 'zod';
import { DEPRECATED_FIELDS } from '../deprecated.js';
import { CalendarDate, Count, paidText, publicText, redactedText, Timestamp } from '../fields.js';
import { FORMATS } from './words.js';

/** Its texts count as third-party text; the avatar is served by our own host. */
const ListedBrand = z
  .object({ avatar_url: publicText().nullable(), site: redactedText().nullable(), initials: redactedText().nullable() })
  .meta({ id: 'ListedBrand' });

/** The brand of a launch in a creator read: the handle is the brand's, never a creator's. */
const CollabBrand = ListedBrand.extend({ handle: redactedText().nullable() }).meta({ id: 'CollabBrand' });

/** A launch or paid partnership in a list row, without link and brand handle (docs/specification.md#creator). */
export const ListedCollab = z
  .object({
    project: redactedText(),
    title: redactedText().nullable(),
    date: CalendarDate.nullable(),
    role: z.enum(['Launch post', 'Quoted the launch', 'Paid partnership']),
    brand: ListedBrand,
  })
  .meta({ id: 'ListedCollab' });
export type ListedCollab = z.infer<typeof ListedCollab>;

/** A launch or paid partnership in a creator read; `url` is null there (docs/specification.md#creator). */
export const PastCollab = ListedCollab.extend({ url: paidText().nullable(), brand: CollabBrand }).meta({
  id: 'PastCollab',
});
export type PastCollab = z.infer<typeof PastCollab>;

/** A creator's post; `url` is null in every creator read (docs/domain/network.md#posts-and-figures). */
export const RecentPost = z
  .object({
    kind: z.enum(FORMATS),
    published_at: Timestamp,
    text: redactedText(),
    views: Count.nullable(),
    likes: Count.nullable(),
    replies: Count.nullable(),
    reposts: Count.nullable(),
    quotes: Count.nullable(),
    bookmarks: Count.nullable(),
    url: paidText().nullable(),
  })
  .meta({ id: 'RecentPost' });
export type RecentPost = z.infer<typeof RecentPost>;

/** A summary of the stored posts of the last 30 days (docs/specification.md#creator, posts_summary). */
export const PostsSummary = z
  .object({
    posts: Count,
    window_days: Count,
    capped: z.boolean(),
    median_views: Count.nullable().optional().meta({
      deprecated: true,
      'x-sunset': DEPRECATED_FIELDS['posts_summary.median_views'],
      description: 'Same as posts_sample_median_views.',
    }),
    posts_sample_median_views: Count.nullable(),
    top_post: z.object({ url: paidText().nullable(), views: Count, excerpt: redactedText() }).nullable(),
    recurring: z.array(redactedText()),
    latest_at: Timestamp,
    as_of: Timestamp,
  })
  .meta({ id: 'PostsSummary' });
export type PostsSummary = z.infer<typeof PostsSummary>;

import type { CreatorPost, CreatorProposal, PostNeed } from '@cds/contracts';
import { day, moment, plural } from '../foundation/format.js';
import { errorAt, type FieldNames, type Shown } from '../foundation/problems.js';

export type Situation = { kind: 'info' | 'good' | 'warn'; label: string; title: string; texts: string[] };

/** The figures of a post in the order of their form: label, singular and plural. */
const FIGURES = [
  { name: 'views', label: 'Views', one: 'view', many: 'views' },
  { name: 'likes', label: 'Likes', one: 'like', many: 'likes' },
  { name: 'comments', label: 'Replies', one: 'reply', many: 'replies' },
  { name: 'shares', label: 'Reposts and quotes', one: 'repost or quote', many: 'reposts and quotes' },
  { name: 'bookmarks', label: 'Bookmarks', one: 'bookmark', many: 'bookmarks' },
  { name: 'clicks', label: 'Link clicks', one: 'link click', many: 'link clicks' },
  { name: 'profile_visits', label: 'Profile visits', one: 'profile visit', many: 'profile visits' },
] as const;

type Figure = (typeof FIGURES)[number]['name'];

export const FIGURE_NAMES: readonly Figure[] = FIGURES.map(({ name }) => name);

export type TypedPost = Partial<Record<'url' | 'disclosure' | Figure, string>>;

/** The fields of the forms about a post by the names that metrics gives their problems. */
export const POST_FIELDS: FieldNames = {
  url: { field: 'url', label: 'Address of the post' },
  disclosure: { field: 'disclosure', label: 'How the post is marked' },
  ...Object.fromEntries(FIGURES.map(({ name, label }) => [name, { field: name, label }])),
};

const by = (post: CreatorPost): string => (post.needs_by === null ? '' : ` by ${moment(post.needs_by)}`);

const MARK = 'Add #ad to it, or the paid partnership label,';

const BLOCKED: Readonly<Record<PostNeed, (post: CreatorPost) => Pick<Situation, 'title' | 'texts'>>> = {
  post: (post) => ({
    title: 'Your post is missing',
    texts: [`Please post, and send its address below${by(post)}. After that our team may give the place away.`],
  }),
  repost: (post) => ({
    title: 'Your post is gone',
    texts: [`Put it back or post again, and send its address below${by(post)}. Otherwise the place ends unpaid.`],
  }),
  disclosure: (post) => ({
    title: 'Your post lacks its disclosure',
    texts: [`${MARK} and send its address once more${by(post)}. Otherwise the place ends unpaid.`],
  }),
};

const dayOf = ({ date }: CreatorProposal): string => (date === null ? 'its day' : day(date));

export const isLost = ({ post }: CreatorProposal): boolean => post?.status === 'blocked' && post.needs === null;

export const postSituation = (shown: CreatorProposal): Situation => {
  const { post } = shown;
  if (post === null || post.status === 'booked')
    return {
      kind: 'good',
      label: 'Booked',
      title: `Your post is booked for ${dayOf(shown)}`,
      texts: [
        'Post it on that day with the disclosure below, then send us its address.',
        'To change the day, write to our team.',
      ],
    };
  if (post.status === 'completed')
    return {
      kind: 'good',
      label: 'Completed',
      title: 'Your post is complete',
      texts: [
        shown.payout_state === 'paid'
          ? 'It was still up after 7 days, and our team has sent your pay. Thank you.'
          : 'It was still up after 7 days. Thank you: your pay is due, and our team sends it.',
      ],
    };
  if (post.status === 'live')
    return post.needs === 'disclosure'
      ? {
          kind: 'warn',
          label: 'Needs you',
          title: 'Your post lacks its disclosure',
          texts: [`${MARK} and send its address once more${by(post)}. Our team looks at it again.`],
        }
      : {
          kind: 'good',
          label: 'Live',
          title: 'Your post is live',
          texts: ['Please leave it up. Once it has been up for 7 days, your pay is due.'],
        };
  return post.needs === null
    ? {
        kind: 'warn',
        label: 'Ended',
        title: 'This place has ended without your post',
        texts: ['If you think that is wrong, write to our team.'],
      }
    : { kind: 'warn', label: 'Needs you', ...BLOCKED[post.needs](post) };
};

type Reading = CreatorPost['readings'][number];

const readingText = (reading: Reading): string => {
  const known = FIGURES.flatMap(({ name, one, many }) => {
    const value = reading[name];
    return value === null ? [] : [plural(value, one, many)];
  });
  return known.length === 0 ? 'No figures' : known.join(', ');
};

export const submittedPost = ({ post }: CreatorProposal) =>
  post === null || post.url === null
    ? null
    : {
        url: post.url,
        published: post.published_at === null ? null : moment(post.published_at),
        disclosure: post.disclosure,
        readings: post.readings.map((reading) => ({
          text: readingText(reading),
          from: `${moment(reading.captured_at)}${reading.source === 'creator' ? ', your own figures' : ''}`,
        })),
      };

export const submitFields = ({ problems }: Shown, typed: TypedPost, post: CreatorPost | null) => {
  const marked = typed.disclosure ?? post?.disclosure ?? '';
  return {
    url: {
      name: 'url',
      label: 'Address of the post',
      type: 'url',
      inputmode: 'url',
      help: 'As in https://x.com/your_name/status/1234567890',
      value: typed.url ?? post?.url ?? '',
      error: errorAt(problems, 'url'),
    },
    disclosure: {
      name: 'disclosure',
      legend: 'How the post is marked',
      type: 'radio',
      options: [
        { value: '#ad', label: '#ad in its text', checked: marked === '#ad' },
        { value: '#sponsored', label: '#sponsored in its text', checked: marked === '#sponsored' },
        { value: '', label: 'Only the paid partnership label', help: 'Our team looks for it.', checked: false },
      ],
      error: errorAt(problems, 'disclosure'),
    },
  };
};

export const figureFields = ({ problems }: Shown, typed: TypedPost) => ({
  isOpen: FIGURES.some(({ name }) => typed[name] !== undefined),
  fields: FIGURES.map(({ name, label }) => ({
    name,
    label,
    short: true,
    inputmode: 'numeric',
    value: typed[name],
    error: errorAt(problems, name),
  })),
});

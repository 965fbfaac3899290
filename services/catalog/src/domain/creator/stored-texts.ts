import { BIO_MAX, DELIVERABLE_MAX, LABEL_MAX, POSITIONING_MAX } from '../constants.js';
import { DELIVERABLE, FORMAT_LABEL } from '../pricing/prices.js';
import { atMost, positioningOf } from './cleaning.js';
import type { Creator } from './creator.js';

type Clean = (text: string) => string;

/** The texts of posts, which are cleaned again where the creator has another handle now. */
export const cleanedPosts = (
  { posts, posts_summary: summary }: Pick<Creator, 'posts' | 'posts_summary'>,
  clean: Clean,
): Pick<Creator, 'posts' | 'posts_summary'> => ({
  posts: posts.map((post) => ({ ...post, text: clean(post.text) })),
  posts_summary: summary && {
    ...summary,
    top_post: summary.top_post && { ...summary.top_post, excerpt: clean(summary.top_post.excerpt) },
    recurring: summary.recurring.map(clean).filter((phrase) => phrase !== ''),
  },
});

/** The same of what creators sell. */
export const cleanedUnits = (units: Creator['units'], clean: Clean): Creator['units'] =>
  units.map((unit) => ({
    ...unit,
    label: atMost(clean(unit.label), LABEL_MAX) || FORMAT_LABEL[unit.format],
    deliverable: atMost(clean(unit.deliverable), DELIVERABLE_MAX) || DELIVERABLE[unit.format],
  }));

/** All that a creator shows, under another handle. */
export const cleanedTexts = (creator: Pick<Creator, 'bio' | 'posts' | 'posts_summary' | 'units'>, clean: Clean) => {
  const bio = creator.bio === null ? null : atMost(clean(creator.bio), BIO_MAX) || null;
  return {
    bio,
    positioning: positioningOf(bio, POSITIONING_MAX),
    ...cleanedPosts(creator, clean),
    units: cleanedUnits(creator.units, clean),
  };
};

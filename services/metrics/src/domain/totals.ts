// The results of a campaign in numbers (docs/domain/orders.md#results).
import { expectedViews, type Line, type Signed, spendCents } from './line.js';
import type { Post } from './post.js';

type Listed = { post: Pick<Post, 'figures'>; line: Line; signed: Pick<Signed, 'price_cents'> };

export type Totals = {
  posts: number;
  views: number | null;
  spend_cents: number;
  cpm_cents: number | null;
  expected_low: number | null;
  expected_high: number | null;
};

/** The cost per 1,000 views counts only posts that have views. */
export const totalsOf = (listed: readonly Listed[]): Totals => {
  const read = listed.filter(({ post }) => viewsOf(post) !== null);
  const views = sum(read.map(({ post }) => viewsOf(post)));
  const spent = (posts: readonly Listed[]) =>
    posts.reduce((cents, { line, signed }) => cents + spendCents(line, signed), 0);
  return {
    posts: listed.length,
    views,
    spend_cents: spent(listed),
    cpm_cents: views === null || views === 0 ? null : Math.round((spent(read) * 1_000) / views),
    expected_low: sum(listed.map(({ line }) => expectedViews(line).views_low)),
    expected_high: sum(listed.map(({ line }) => expectedViews(line).views_high)),
  };
};

const viewsOf = ({ figures }: Pick<Post, 'figures'>): number | null => figures.latest?.views ?? null;

const sum = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};

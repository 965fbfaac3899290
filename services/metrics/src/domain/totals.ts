// The results of a campaign in numbers, and why evidence and results list nothing (docs/domain/orders.md#results).
import { expectedViews, isOver, type Line, type Signed, scheduledDate, spendCents } from './line.js';
import type { Post } from './post.js';
import { dateText } from './texts.js';

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

export const emptyNote = (lines: readonly Line[], today: string): string =>
  `No post is live: ${whyNone(lines, today)}.`;

const whyNone = (lines: readonly Line[], today: string): string => {
  const signed = lines.filter(isSigned);
  if (signed.length === 0) return 'no plan is signed';
  const active = signed.filter((line) => !isOver(line));
  if (active.length === 0) return 'its order was cancelled or refunded';
  const paid = active.filter(
    ({ signed: { payment_state: state } }) => state === 'paid' || state === 'partially_refunded',
  );
  if (paid.length === 0)
    return active.some(({ signed: { payment_state: state } }) => state === 'processing')
      ? 'the payment is on its way'
      : 'the order is unpaid';

  const booked = paid.filter(({ offer }) => offer?.booked === true).map(scheduledDate);
  const first = booked.filter((day): day is string => day !== null && day >= today).sort()[0];
  if (first !== undefined) return `the first is booked for ${dateText(new Date(`${first}T00:00:00.000Z`))}`;
  return booked.length === 0 ? 'no creator has confirmed a day yet' : 'the posts that were booked are late or gone';
};

const isSigned = (line: Line): line is Line & { signed: Signed } => line.signed !== null;

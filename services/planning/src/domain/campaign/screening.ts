import type { Category, NoPlanReason, Refusal } from '@cds/contracts';
import type { Campaign } from '../plan.js';
import { conflictRefusal } from '../refusals.js';
import { CATEGORY_LIST, type CategoryRow } from './category-list.js';
import type { ContextInForce } from './context.js';

/** What is screened of a campaign; `company` holds its name and its summary. */
export type Screened = {
  product: string | null;
  moment: string | null;
  company: readonly (string | null)[];
  category: Category | null;
};

/** The result of screening, with the category whose row decided; null when no row matched. */
export type Screening = { result: 'banned' | 'review' | 'allowed'; category: Category | null };

/** Words in lower case between single spaces, without accents and invisible characters, with a space at either end. */
const words = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const hits = (row: CategoryRow, texts: readonly string[]): boolean =>
  texts.some((text) => {
    const rest = row.not.reduce((left, phrase) => left.replaceAll(` ${phrase} `, ' | '), text);
    return row.phrases.some((phrase) => rest.includes(` ${phrase} `));
  });

/**
 * Screens a campaign by its category and its texts: banned before review before allowed. Each text is matched by
 * itself. Source: docs/domain/network.md#category-screening.
 */
export const screened = (of: Screened): Screening => {
  const texts = [of.product, of.moment, ...of.company].flatMap((text) => (text === null ? [] : [words(text)]));
  const hit = CATEGORY_LIST.rows.filter((row) => row.category === of.category || hits(row, texts));
  const strictest = hit.find((row) => row.result === 'banned') ?? hit[0];
  return strictest === undefined
    ? { result: 'allowed', category: null }
    : { result: strictest.result, category: strictest.category };
};

/** Why a campaign gets no plan because of its category; null when it may have one (docs/domain/plans.md#no-plan). */
export const screeningReason = (of: Screened): Extract<NoPlanReason, 'category_banned' | 'category_review'> | null => {
  const { result } = screened(of);
  return result === 'allowed' ? null : result === 'banned' ? 'category_banned' : 'category_review';
};

type ScreenedFields = Pick<Campaign, 'product' | 'moment' | 'company' | 'company_summary' | 'category'>;

/** The screened fields of a campaign; the context's summary counts for a company whose name came from there. */
export const screenedOf = ({ product, moment, company, company_summary, category }: ScreenedFields): Screened => ({
  product,
  moment,
  company: [company, company_summary ?? null],
  category,
});

/** Why a campaign gets no plan after a change. A decision, the operator's too, holds until a screened field changes. */
export const rescreened = (
  before: ScreenedFields & Pick<Campaign, 'no_plan'>,
  after: ScreenedFields,
): Extract<NoPlanReason, 'category_banned' | 'category_review'> | null => {
  if (JSON.stringify(screenedOf(before)) !== JSON.stringify(screenedOf(after)))
    return screeningReason(screenedOf(after));
  const { no_plan } = before;
  return no_plan === 'category_banned' || no_plan === 'category_review' ? no_plan : null;
};

/** Refuses a text that takes a campaign with a plan into a category that may have none. */
export const textRefusal = (after: ScreenedFields): Refusal | null => {
  const reason = screeningReason(screenedOf(after));
  if (reason === null) return null;
  return conflictRefusal(
    reason,
    reason === 'category_banned'
      ? 'Creators may not be paid to promote this category. Send a moment without it.'
      : 'The team reviews this category first. Send a moment without it, or ask the team.',
  );
};

/**
 * Refuses a first add to `current` because of the company context, the only text there is yet
 * (docs/domain/plans.md#plan-current).
 */
export const categoryRefusal = (context: Pick<ContextInForce, 'name' | 'summary'>): Refusal | null => {
  const company = [context.name, context.summary];
  const reason = screeningReason({ product: null, moment: null, company, category: null });
  if (reason === null) return null;
  return conflictRefusal(
    reason,
    reason === 'category_banned'
      ? "Creators may not be paid to promote this company's category, so no plan is started."
      : "The team reviews this company's category first. Ask a person of the brand to write to the team.",
  );
};

/** Refuses an operator's decision on a campaign that does not wait for one (docs/domain/access.md#operators). */
export const decisionRefusal = ({
  no_plan,
  archived_at,
}: Pick<Campaign, 'no_plan' | 'archived_at'>): Refusal | null => {
  if (archived_at !== null)
    return conflictRefusal('bad_state', 'This campaign is archived, so no plan is made for it.');
  return no_plan === 'category_review'
    ? null
    : conflictRefusal('bad_state', 'This campaign is not under review for its category.');
};

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

/**
 * The result of screening, with the category whose row decided and the phrases that were found; null and empty when
 * none was. A category that the brand named itself has no phrases.
 */
export type Screening = {
  result: 'banned' | 'review' | 'allowed';
  category: Category | null;
  words: readonly string[];
};

/** A row that texts hit, and how strictly. */
type Hit = { row: CategoryRow; result: 'banned' | 'review'; words: readonly string[] };

/** Words in lower case between single spaces, without accents and invisible characters, with a space at either end. */
const words = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const alternatives = (phrases: readonly string[]): string => phrases.join('|');

/** The phrases of a list in a text, each once, with a pattern made once per list. */
const finderOf = (phrases: readonly string[]): ((text: string) => string[]) => {
  if (phrases.length === 0) return () => [];
  const pattern = new RegExp(
    `(?<= )(?:${alternatives([...phrases].sort((one, other) => other.length - one.length))})(?= )`,
    'g',
  );
  return (text) => [...new Set(text.match(pattern) ?? [])];
};

/** "without any", "one stop" being no refusal; "free" where it does not offer something: "vodka, free delivery". */
const BEFORE = `(?<!one )(?:${alternatives(CATEGORY_LIST.against_before)}) (?:(?:a|added|all|any|from|in|more|of|on|our|the|to|your) )?`;
const AFTER = `(?:${alternatives(CATEGORY_LIST.against_after)}|free(?! (?:bet|bets|delivery|for|gift|next|on|over|play|sample|samples|shipping|spins|trial|when|with)))`;

/**
 * Takes out of a text what only looks like a row's phrases, and phrases that the text is against. A phrase of the row
 * that says itself what it is against, such as "anti abortion", stays.
 */
const clearedOf = (row: CategoryRow): ((text: string) => string) => {
  const phrases = [...row.clear, ...row.trade, ...row.ambiguous, ...row.weak];
  const isOwn = new Set(phrases);
  const own = alternatives(phrases.sort((one, other) => other.length - one.length));
  const lookalikes = row.not.length === 0 ? null : new RegExp(`(?<= )(?:${alternatives(row.not)})(?= )`, 'g');
  const against = new RegExp(`(?<= )${BEFORE}(?:${own})(?= )|(?<= )(?:${own}) ${AFTER}(?= )`, 'g');
  return (text) =>
    (lookalikes === null ? text : text.replace(lookalikes, '|')).replace(against, (found) =>
      isOwn.has(found) ? found : '|',
    );
};

const toolsIn = finderOf(CATEGORY_LIST.tools);

const RULES = CATEGORY_LIST.rows.map((row) => ({
  row,
  cleared: clearedOf(row),
  clear: finderOf(row.clear),
  trade: finderOf(row.trade),
  ambiguous: finderOf(row.ambiguous),
  weak: finderOf(row.weak),
  confirming: finderOf(row.confirming),
}));

/** What a row finds in one text. Words of a tool clear what is ambiguous and leave the rest to a person. */
const hitOf = (
  { row, cleared, clear, trade, ambiguous, weak, confirming }: (typeof RULES)[number],
  text: string,
): Hit | null => {
  const left = cleared(text);
  const isTool = toolsIn(left).length > 0;
  const certain = clear(left);
  if (certain.length > 0) return { row, result: isTool ? 'review' : row.result, words: certain };
  if (isTool) return null;
  const shops = trade(left);
  if (shops.length > 0) return { row, result: row.result, words: shops };
  // A text of one word is about that word.
  const isOneWord = !left.trim().includes(' ');
  const unsure = [...ambiguous(left), ...(isOneWord ? weak(left) : [])];
  const everyday = weak(left);
  const others = confirming(left).filter((phrase) => !unsure.includes(phrase) && !everyday.includes(phrase));
  if (unsure.length > 0)
    return { row, result: others.length > 0 ? row.result : 'review', words: [...unsure, ...others] };
  return everyday.length > 0 && others.length > 0 ? { row, result: 'review', words: [...everyday, ...others] } : null;
};

const STRICTNESS = { allowed: 0, review: 1, banned: 2 } as const;

const stricterFirst = (one: Hit, other: Hit): number => STRICTNESS[other.result] - STRICTNESS[one.result];

/** Every row that a campaign hits, the strictest first, then in the order of the list. */
const hitsOf = (of: Screened): Hit[] => {
  const texts = [of.product, of.moment, ...of.company].flatMap((text) => (text === null ? [] : [words(text)]));
  return RULES.flatMap((rule): Hit[] => {
    const named: Hit[] =
      rule.row.category === of.category ? [{ row: rule.row, result: rule.row.result, words: [] }] : [];
    return [...named, ...texts.flatMap((text) => hitOf(rule, text) ?? [])].sort(stricterFirst).slice(0, 1);
  }).sort(stricterFirst);
};

/**
 * Screens a campaign by its category and its texts: banned before review before allowed. Each text is read by itself.
 * Source: docs/domain/network.md#category-screening.
 */
export const screened = (of: Screened): Screening => {
  const [strictest] = hitsOf(of);
  return strictest === undefined
    ? { result: 'allowed', category: null, words: [] }
    : { result: strictest.result, category: strictest.row.category, words: strictest.words };
};

const reasonOf = ({ result }: Pick<Screening, 'result'>): CategoryReason | null =>
  result === 'allowed' ? null : result === 'banned' ? 'category_banned' : 'category_review';

type CategoryReason = Extract<NoPlanReason, 'category_banned' | 'category_review'>;

/** Why a campaign gets no plan because of its category; null when it may have one (docs/domain/plans.md#no-plan). */
export const screeningReason = (of: Screened): CategoryReason | null => reasonOf(screened(of));

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
): CategoryReason | null => {
  if (JSON.stringify(screenedOf(before)) !== JSON.stringify(screenedOf(after)))
    return screeningReason(screenedOf(after));
  const { no_plan } = before;
  return no_plan === 'category_banned' || no_plan === 'category_review' ? no_plan : null;
};

const LABELS: ReadonlyMap<Category, string> = new Map(
  CATEGORY_LIST.rows.map(({ category, label }) => [category, label]),
);

/** What was found, as "gambling (from “casino”, “roulette”)"; the words are the list's own. */
export const foundIn = ({ category, words: found }: Pick<Screening, 'category' | 'words'>): string => {
  if (category === null) return 'this category';
  const label = LABELS.get(category) ?? category;
  return found.length === 0
    ? `${label}, the category of the campaign`
    : `${label} (from ${found.map((word) => `“${word}”`).join(', ')})`;
};

const detailsOf = ({ category, words: found }: Screening): Record<string, unknown> => ({ category, words: found });

/**
 * Refuses a text that takes a campaign with a plan into a category that may have none. A category that the campaign was
 * in before does not count: it has its plan because a person allowed it.
 */
export const textRefusal = (before: ScreenedFields, after: ScreenedFields): Refusal | null => {
  const known = new Set(hitsOf(screenedOf(before)).map(({ row }) => row.category));
  const hit = hitsOf(screenedOf(after)).find(({ row }) => !known.has(row.category));
  if (hit === undefined) return null;
  const found: Screening = { result: hit.result, category: hit.row.category, words: hit.words };
  return conflictRefusal(
    hit.result === 'banned' ? 'category_banned' : 'category_review',
    hit.result === 'banned'
      ? `Creators may not be paid to promote ${foundIn(found)}. Send a moment without it.`
      : `The team first reviews ${foundIn(found)}. Send a moment without it, or ask the team.`,
    detailsOf(found),
  );
};

/**
 * Refuses a first add to `current` because of the company context, the only text there is yet
 * (docs/domain/plans.md#plan-current).
 */
export const categoryRefusal = (context: Pick<ContextInForce, 'name' | 'summary'>): Refusal | null => {
  const company = [context.name, context.summary];
  const found = screened({ product: null, moment: null, company, category: null });
  const reason = reasonOf(found);
  if (reason === null) return null;
  return conflictRefusal(
    reason,
    reason === 'category_banned'
      ? `Creators may not be paid to promote what the company context names: ${foundIn(found)}. So no plan is started. If that is wrong, ask the team by feedback.`
      : `The team first reviews what the company context names: ${foundIn(found)}. Ask a person of the brand to write to the team.`,
    detailsOf(found),
  );
};

/**
 * Refuses an operator's decision on a campaign that does not wait for one. A lead may also lift a ban
 * (docs/domain/access.md#operators).
 */
export const decisionRefusal = (
  { no_plan, archived_at }: Pick<Campaign, 'no_plan' | 'archived_at'>,
  decision: 'allowed' | 'banned',
): Refusal | null => {
  if (archived_at !== null)
    return conflictRefusal('bad_state', 'This campaign is archived, so no plan is made for it.');
  if (no_plan === 'category_review' || (no_plan === 'category_banned' && decision === 'allowed')) return null;
  return conflictRefusal(
    'bad_state',
    no_plan === 'category_banned'
      ? 'This campaign is banned for its category already.'
      : 'This campaign is neither banned nor under review for its category.',
  );
};

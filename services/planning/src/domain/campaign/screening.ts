import { type Category, type CreatorGuidelines, type NoPlanReason, type Refusal, skeletonReader } from '@cds/contracts';
import type { Campaign } from '../plan.js';
import { conflictRefusal } from '../refusals.js';
import { CATEGORY_LIST, type CategoryRow } from './category-list.js';
import type { ContextInForce } from './context.js';

/** `company` is name and summary. */
export type Screened = {
  product: string | null;
  moment: string | null;
  company: readonly (string | null)[];
  category: Category | null;
};

/** The category that decided and the phrases found. A category that the brand named itself has no phrases. */
export type Screening = {
  result: 'banned' | 'review' | 'allowed';
  category: Category | null;
  words: readonly string[];
};

type Hit = { row: CategoryRow; result: 'banned' | 'review'; words: readonly string[] };

/** Lower case, single spaces (also at both ends), no accents or invisible characters. */
const words = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const alternatives = (phrases: readonly string[]): string => phrases.join('|');

/** One pattern per list. */
const finderOf = (phrases: readonly string[]): ((text: string) => string[]) => {
  if (phrases.length === 0) return () => [];
  const pattern = new RegExp(
    `(?<= )(?:${alternatives([...phrases].sort((one, other) => other.length - one.length))})(?= )`,
    'g',
  );
  return (text) => [...new Set(text.match(pattern) ?? [])];
};

/** "without any", but not "one stop"; "free", unless it offers something: "vodka, free delivery". */
const BEFORE = `(?<!one )(?:${alternatives(CATEGORY_LIST.against_before)}) (?:(?:a|added|all|any|from|in|more|of|on|our|the|to|your) )?`;
const AFTER = `(?:${alternatives(CATEGORY_LIST.against_after)}|free(?! (?:bet|bets|delivery|for|gift|next|on|over|play|sample|samples|shipping|spins|trial|when|with)))`;

/**
 * Without what only looks like the row's phrases, and without phrases that the text is against. A phrase that names its
 * own opposition, such as "anti abortion", stays.
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

/** Reads a text as it looks to a reader: with the list's words plain wherever it only spells them otherwise. */
const skeleton = skeletonReader(
  CATEGORY_LIST.rows.flatMap((row) => [
    ...row.clear,
    ...row.trade,
    ...row.ambiguous,
    ...row.weak,
    ...row.confirming,
    ...row.together.flatMap((roles) => Object.values(roles).flat()),
  ]),
);

const RULES = CATEGORY_LIST.rows.map((row) => ({
  row,
  cleared: clearedOf(row),
  clear: finderOf(row.clear),
  trade: finderOf(row.trade),
  ambiguous: finderOf(row.ambiguous),
  weak: finderOf(row.weak),
  confirming: finderOf(row.confirming),
  together: row.together.map((roles) => Object.values(roles).map(finderOf)),
}));

/** The first phrase of every role that meets in a text; a text that is against something is left to its phrases. */
const metIn = (together: (typeof RULES)[number]['together'], left: string): string[] => {
  if (left.includes('|')) return [];
  for (const roles of together) {
    const found: string[] = [];
    for (const find of roles) {
      const [phrase] = find(left);
      if (phrase === undefined) break;
      found.push(phrase);
    }
    if (found.length === roles.length) return found;
  }
  return [];
};

/** Words of a tool clear what is ambiguous and leave the rest to a person. */
const hitOf = (
  { row, cleared, clear, trade, ambiguous, weak, confirming, together }: (typeof RULES)[number],
  text: string,
): Hit | null => {
  const left = cleared(text);
  const isTool = toolsIn(left).length > 0;
  const certain = clear(left);
  if (certain.length > 0) return { row, result: isTool ? 'review' : row.result, words: certain };
  const met = metIn(together, left);
  if (met.length > 0 && !isTool) return { row, result: row.result, words: met };
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

/** What a row finds in a text, or else in its skeleton, which a person decides about. */
const hitInEither = (rule: (typeof RULES)[number], { plain, seen }: Text): Hit | null => {
  const hit = hitOf(rule, plain);
  if (hit !== null || seen === plain) return hit;
  const disguised = hitOf(rule, seen);
  return disguised === null ? null : { ...disguised, result: 'review' };
};

/** A text in words, and what it looks like. */
type Text = { plain: string; seen: string };

const readOf = (text: string): Text => ({ plain: words(text), seen: ` ${skeleton(text)} ` });

const hitsOf = (of: Screened): Hit[] => {
  const texts = [of.product, of.moment, ...of.company].flatMap((text) => (text === null ? [] : [readOf(text)]));
  return RULES.flatMap((rule): Hit[] => {
    const named: Hit[] =
      rule.row.category === of.category ? [{ row: rule.row, result: rule.row.result, words: [] }] : [];
    return [...named, ...texts.flatMap((text) => hitInEither(rule, text) ?? [])].sort(stricterFirst).slice(0, 1);
  }).sort(stricterFirst);
};

/**
 * Each text is read by itself: banned before review before allowed. Source: docs/domain/network.md#category-screening.
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

export const screeningReason = (of: Screened): CategoryReason | null => reasonOf(screened(of));

type ScreenedFields = Pick<Campaign, 'product' | 'moment' | 'company' | 'company_summary' | 'category'>;

/** The context's summary counts for a company whose name came from there. */
export const screenedOf = ({ product, moment, company, company_summary, category }: ScreenedFields): Screened => ({
  product,
  moment,
  company: [company, company_summary ?? null],
  category,
});

/** A decision, also the operator's, holds until a screened field changes. */
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

/** As "gambling (from “casino”, “roulette”)"; the words are the list's own. */
export const foundIn = ({ category, words: found }: Pick<Screening, 'category' | 'words'>): string => {
  if (category === null) return 'this category';
  const label = LABELS.get(category) ?? category;
  return found.length === 0
    ? `${label}, the category of the campaign`
    : `${label} (from ${found.map((word) => `“${word}”`).join(', ')})`;
};

const detailsOf = ({ category, words: found }: Screening): Record<string, unknown> => ({ category, words: found });

/** A category that the campaign was in before does not count: a person allowed its plan. */
export const textRefusal = (before: ScreenedFields, after: ScreenedFields): Refusal | null =>
  newCategory(screenedOf(before), screenedOf(after), 'a moment');

/** What creators are to say is screened as the campaign is; donts name what they are not to say. */
export const guidelinesRefusal = (
  campaign: ScreenedFields,
  { pitch, key_messages, voice, dos }: Pick<CreatorGuidelines, 'pitch' | 'key_messages' | 'voice' | 'dos'>,
): Refusal | null =>
  newCategory(
    screenedOf(campaign),
    { product: null, moment: null, company: [pitch, ...key_messages, voice, ...dos], category: null },
    'guidelines',
  );

const newCategory = (before: Screened, after: Screened, what: string): Refusal | null => {
  const known = new Set(hitsOf(before).map(({ row }) => row.category));
  const hit = hitsOf(after).find(({ row }) => !known.has(row.category));
  if (hit === undefined) return null;
  const found: Screening = { result: hit.result, category: hit.row.category, words: hit.words };
  return conflictRefusal(
    hit.result === 'banned' ? 'category_banned' : 'category_review',
    hit.result === 'banned'
      ? `Creators may not be paid to promote ${foundIn(found)}. Send ${what} without it.`
      : `The team first reviews ${foundIn(found)}. Send ${what} without it, or ask the team.`,
    detailsOf(found),
  );
};

/**
 * For a first add to `current`: the company context is the only text there is yet (docs/domain/plans.md#plan-current).
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

/** Unless the campaign waits for one. A lead may also lift a ban (docs/domain/operators.md#operators). */
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

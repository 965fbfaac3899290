/** Removes what a description excludes (docs/domain/network.md#audience-text, step 1): "not developers". */

type Negator = { words: readonly string[]; and: boolean };

const negators = (and: boolean, phrases: string): Negator[] =>
  phrases.split(',').map((phrase) => ({ words: phrase.trim().split(' '), and }));

const NEGATORS: readonly Negator[] = [
  ...negators(
    true,
    'no, exclude, excludes, excluding, except, except for, excepting, without, avoid, avoiding, omit, omitting, leave out, leaving out, stay away from, minus',
  ),
  ...negators(
    false,
    "not, isn't, aren't, don't, doesn't, neither, nor, rather than, instead of, other than, apart from, aside from, as opposed to, anything but, anyone but, everyone but, everybody but, anybody but, all but",
  ),
].sort((one, other) => other.words.length - one.words.length);

/** Phrases that begin like an exclusion and exclude nothing. */
const NO_EXCLUSIONS = [
  'not only',
  'not just',
  'not merely',
  'not to mention',
  'not for profit',
  'not afraid',
  'no code',
  'no matter',
  'no doubt',
  'no one',
].map((phrase) => phrase.split(' '));

const CLAUSE_ENDS: ReadonlySet<string> = new Set(['.', ';', ':', '(', ')', '!', '?', '–', '—', '|', '/']);
/** Words after which a description continues with what it wants. */
const TURNS: ReadonlySet<string> = new Set(['but', 'however', 'only', 'just', 'yes', 'although', 'though']);
/** Words that begin a new statement rather than another item of a list. */
const STARTERS: ReadonlySet<string> = new Set(
  'we they i you it this that these our only just but want wants target targets targeting focus prefer mainly mostly plus also instead rather please who people reach find think looking need needs ideally especially'.split(
    ' ',
  ),
);
const ITEM_MOST = 4;

const tokensOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}+#]+(?:['&-][\p{L}\p{N}+#]+)*|[^\s]/gu) ?? [];

const startsWith = (tokens: readonly string[], at: number, words: readonly string[]): boolean =>
  words.every((word, index) => tokens[at + index]?.toLowerCase() === word);

const negatorAt = (tokens: readonly string[], at: number): Negator | undefined =>
  NO_EXCLUSIONS.some((words) => startsWith(tokens, at, words))
    ? undefined
    : NEGATORS.find(({ words }) => startsWith(tokens, at, words));

const endsClause = (token: string | undefined): boolean =>
  token === undefined || CLAUSE_ENDS.has(token) || TURNS.has(token.toLowerCase());

const itemEnd = (tokens: readonly string[], from: number): number => {
  let at = from;
  while (tokens[at] !== ',' && !endsClause(tokens[at])) at += 1;
  return at;
};

const closes = (tokens: readonly string[], from: number, to: number, { and }: Negator): boolean =>
  tokens.slice(from, to).some((token) => ['or', 'nor', ...(and ? ['and'] : [])].includes(token.toLowerCase()));

const isItem = (tokens: readonly string[], from: number, to: number): boolean =>
  to > from && to - from <= ITEM_MOST + 2 && !STARTERS.has(tokens[from]?.toLowerCase() ?? '');

/** An exclusion ends with its first item, or with the list of items that an "or" closes. */
const scopeEnd = (tokens: readonly string[], from: number, negator: Negator): number => {
  const first = itemEnd(tokens, from);
  if (closes(tokens, from, first, negator)) return first;
  for (let at = first; tokens[at] === ','; ) {
    const end = itemEnd(tokens, at + 1);
    if (!isItem(tokens, at + 1, end)) return first;
    if (closes(tokens, at + 1, end, negator)) return end;
    at = end;
  }
  return first;
};

export const withoutExcluded = (text: string): string => {
  const tokens = tokensOf(text);
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] ?? '';
    const negator = negatorAt(tokens, at);
    if (negator === undefined) {
      if (!/^non-/i.test(token)) kept.push(token);
      at += 1;
    } else at = scopeEnd(tokens, at + negator.words.length, negator);
  }
  return kept.join(' ');
};

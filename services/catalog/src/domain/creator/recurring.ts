import { RECURRING_LEAST_POSTS, RECURRING_MAX } from '../constants.js';

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been before being but by can could did do does doing down each
   every few for from get got had has have he her here him his how i if in into is it its just like made make many may me
   more most much my need never new no nor not now of off on once one only or other our out over own people really said
   same say she should so some still such take than that the their them then there these they thing things this those
   through time to today too two under until up us very want was way we week went were what when where which while who
   why will with would year years yes yet you your`.split(/\s+/),
);

const phrasesOf = (text: string): Set<string> => {
  const tokens = text.toLowerCase().match(/#?[\p{L}\p{N}][\p{L}\p{N}'’-]*|[.,;:!?\n]/gu) ?? [];
  const found = new Set<string>();
  tokens.forEach((token, at) => {
    if (token.startsWith('#')) {
      found.add(token);
      return;
    }
    const next = tokens[at + 1] ?? '';
    const isWord = (one: string) => /^[\p{L}\p{N}]{2}/u.test(one) && !/^\d+$/u.test(one) && !STOP_WORDS.has(one);
    if (isWord(token) && isWord(next)) found.add(`${token} ${next}`);
  });
  return found;
};

export const recurringIn = (texts: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const text of texts) for (const phrase of phrasesOf(text)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= RECURRING_LEAST_POSTS)
    .sort(([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1))
    .slice(0, RECURRING_MAX)
    .map(([phrase]) => phrase);
};

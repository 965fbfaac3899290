import type { Area, Document } from './document.js';
import { sectionsOf } from './links.js';
import { plainText } from './markdown.js';

type Found = { title: string; place: string; path: string };

/** One section: in lower case, and its words as they are shown. */
type Entry = Found & { text: string; lower: string; names: string; weight: number };

export type SearchIndex = readonly Entry[];

export const RESULTS = 20;
const WORDS = 8;
const EXCERPT = 180;
/** What a word is worth in a heading, in the title of its document, and in the text, where repeating it adds little. */
const WORTH = { heading: 12, document: 6, text: 1, repeated: 4 } as const;

/** Texts that explain come before lists that look something up; what every operation repeats comes last. */
const WEIGHTS: Readonly<Record<Area, number>> = { guides: 3, rules: 2, reference: 1, resources: 1, errors: 1.5 };
const REPEATED: ReadonlySet<string> = new Set(['Example', 'Refusals', 'Answer']);
const REPEATED_WEIGHT = 0.25;

export const searchIndex = (documents: readonly Document[]): SearchIndex =>
  documents.flatMap((document) =>
    sectionsOf(document.markdown).map(({ level, heading, anchor, text }) => {
      const shown = plainText(text);
      const title = plainText(heading);
      return {
        title,
        place: level === 1 ? document.summary : document.title,
        path: level === 1 ? document.path : `${document.path}#${anchor}`,
        text: shown,
        lower: shown.toLowerCase(),
        names: `${title} ${document.title}`.toLowerCase(),
        weight: REPEATED.has(title) ? REPEATED_WEIGHT : document.area === null ? 1 : WEIGHTS[document.area],
      };
    }),
  );

const timesIn = (text: string, word: string): number => {
  let times = 0;
  for (let at = text.indexOf(word); at >= 0 && times < WORTH.repeated; at = text.indexOf(word, at + word.length))
    times += 1;
  return times;
};

/** What a section is worth for these words; 0 unless it has all of them. */
const worthOf = ({ title, lower, names, weight }: Entry, words: readonly string[]): number => {
  const heading = title.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const times = timesIn(lower, word) * WORTH.text;
    const named = heading.includes(word) ? WORTH.heading : names.includes(word) ? WORTH.document : 0;
    if (times + named === 0) return 0;
    sum += times + named + (heading === word ? WORTH.heading : 0);
  }
  return sum * weight;
};

const excerptOf = ({ text, lower }: Entry, words: readonly string[]): string => {
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0), text.length);
  const from = at < EXCERPT / 2 || at === text.length ? 0 : text.lastIndexOf(' ', at - EXCERPT / 4) + 1;
  const cut = text.slice(from, from + EXCERPT);
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT < text.length ? ' …' : ''}`;
};

/** The sections that hold every word of a query, the best first. */
export const search = (index: SearchIndex, query: string): (Found & { excerpt: string })[] => {
  const words = [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}_]+/u))]
    .filter((word) => word !== '')
    .slice(0, WORDS);
  if (words.length === 0) return [];
  return index
    .map((entry) => ({ entry, worth: worthOf(entry, words) }))
    .filter(({ worth }) => worth > 0)
    .sort((one, other) => other.worth - one.worth)
    .slice(0, RESULTS)
    .map(({ entry }) => ({
      title: entry.title,
      place: entry.place,
      path: entry.path,
      excerpt: excerptOf(entry, words),
    }));
};

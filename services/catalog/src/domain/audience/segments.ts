import { SEGMENTS } from '@cds/contracts';
import { KEPT_LEAST, KEPT_SHARE_OF_BEST, RESOLVED_LEAST, SEGMENTS_OF_TEXT_MAX } from '../constants.js';
import { withoutExcluded } from './negations.js';
import { wordsOf, writtenWordsOf } from './normalise.js';
import { ALIASES, BUYING_PHRASES, PEOPLE } from './phrases.js';
import { Spelling } from './typos.js';

export type ResolvedSegment = { id: string; label: string; weight: number };
export type Resolved = { segments: ResolvedSegment[]; unresolved: boolean };

type Phrase = { words: readonly string[]; segments: readonly string[]; score: number };

const LABELS: ReadonlyMap<string, string> = new Map(SEGMENTS.map(({ id, label }) => [id, label]));

const byFirstWord = (phrases: readonly Phrase[]): ReadonlyMap<string, readonly Phrase[]> => {
  const index = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const first = phrase.words[0] ?? '';
    index.set(first, [...(index.get(first) ?? []), phrase]);
  }
  return index;
};

const aliasPhrases = (aliases: Readonly<Record<string, readonly string[]>>): Phrase[] => {
  const holders = new Map<string, Set<string>>();
  for (const { id } of SEGMENTS) {
    for (const alias of aliases[id] ?? []) {
      const key = wordsOf(alias).join(' ');
      holders.set(key, (holders.get(key) ?? new Set()).add(id));
    }
  }
  return [...holders].map(([key, segments]) => {
    const words = key.split(' ');
    const score = (1 + Math.log(SEGMENTS.length / segments.size)) * (1 + 0.5 * (words.length - 1));
    return { words, segments: [...segments], score };
  });
};

type Index = ReadonlyMap<string, readonly Phrase[]>;

const INDEX: Index = byFirstWord(aliasPhrases(ALIASES));
const DESCRIBED = Object.fromEntries(SEGMENTS.map(({ id }) => [id, [...(ALIASES[id] ?? []), ...(PEOPLE[id] ?? [])]]));
const DESCRIBING: Index = byFirstWord(aliasPhrases(DESCRIBED));
const BUYING = byFirstWord(BUYING_PHRASES.map((phrase) => ({ words: wordsOf(phrase), segments: [], score: 0 })));

const SPELLING = new Spelling(Object.values(DESCRIBED).flat().flatMap(writtenWordsOf));

const matchesAt = (words: readonly string[], at: number, phrase: Phrase): boolean =>
  phrase.words.every((word, index) => words[at + index] === word);

const withoutBuying = (words: readonly string[]): string[] => {
  const kept: string[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = BUYING.get(words[at] ?? '')?.find((one) => matchesAt(words, at, one));
    if (phrase === undefined) kept.push(words[at] ?? '');
    at += phrase?.words.length ?? 1;
  }
  return kept;
};

type Found = { phrase: Phrase; at: number };

const foundIn = (words: readonly string[], index: Index): Found[] =>
  words
    .flatMap((word, at) =>
      (index.get(word) ?? []).filter((phrase) => matchesAt(words, at, phrase)).map((phrase) => ({ phrase, at })),
    )
    .sort((one, other) => other.phrase.words.length - one.phrase.words.length || one.at - other.at);

/** A found phrase consumes its words for every segment, so "data scientists" does not name scientists. */
const scoresOf = (words: readonly string[], index: Index): Map<string, number> => {
  const scores = new Map<string, number>();
  const consumed = new Set<number>();
  const counted = new Set<Phrase>();
  for (const { phrase, at } of foundIn(words, index)) {
    const places = phrase.words.map((_word, place) => at + place);
    if (places.some((place) => consumed.has(place))) continue;
    for (const place of places) consumed.add(place);
    if (counted.has(phrase)) continue;
    counted.add(phrase);
    for (const id of phrase.segments) scores.set(id, (scores.get(id) ?? 0) + phrase.score);
  }
  return scores;
};

/** Leaves out what the text excludes and forgives misspelled words (docs/domain/network.md#audience-text). */
export const resolveAudience = (text: string): Resolved =>
  resolved(
    writtenWordsOf(withoutExcluded(text)).map((word) => SPELLING.corrected(word)),
    DESCRIBING,
  );

export const segmentsIn = (text: string): Resolved => resolved(wordsOf(text), INDEX);

/** The segments that words name, heaviest first, with weights that sum to 1; `unresolved` when they name none. */
const resolved = (words: readonly string[], index: Index): Resolved => {
  const scores = scoresOf(withoutBuying(words), index);
  const best = Math.max(0, ...scores.values());
  if (best < RESOLVED_LEAST) return { segments: [], unresolved: true };

  const kept = [...scores]
    .filter(([, score]) => score >= KEPT_LEAST && score >= KEPT_SHARE_OF_BEST * best)
    .sort(([oneId, one], [otherId, other]) => other - one || (oneId < otherId ? -1 : 1))
    .slice(0, SEGMENTS_OF_TEXT_MAX);
  const sum = kept.reduce((total, [, score]) => total + score, 0);
  return {
    segments: kept.map(([id, score]) => ({ id, label: LABELS.get(id) ?? id, weight: score / sum })),
    unresolved: false,
  };
};

export const labelOf = (id: string): string => LABELS.get(id) ?? id;

/** Known segments with equal weights, each once, in the order given: the audience of `match`. */
export const equalWeights = (ids: readonly string[]): ResolvedSegment[] => {
  const distinct = [...new Set(ids)];
  return distinct.map((id) => ({ id, label: labelOf(id), weight: 1 / distinct.length }));
};

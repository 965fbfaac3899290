/** Reads posts for the vetting checks, before their text is cleaned (docs/domain/network.md#vetting). */

import { skeletonReader } from '@cds/contracts';
import { z } from 'zod';
import { wordsOf, writtenWordsOf } from '../audience/normalise.js';
import type { ImportedPost } from '../import/imported-creator.js';
import { isDisclosed } from '../launches/evidence.js';
import { listed } from '../listed.js';
import file from './unsafe-terms.json' with { type: 'json' };

/** Phrases that reveal a sponsor: a partner's handle, or a code that pays. */
const PARTNER_MENTION =
  /\b(?:partner(?:ed|ing|ship)?|teamed up|teaming up|collab(?:bed|bing|oration)?|ambassador|gifted)\s+(?:up\s+)?(?:with|for|by|of)\s+[@\uFF20]\w/iu;
const PAYING_CODE =
  /\b(?:[Uu]se|[Ww]ith)\s+(?:my\s+)?(?:(?:promo|discount|referral|affiliate)\s+)?code\s+["'“‘]?[A-Z0-9]{3,}\b/u;
const PAYING_LINK = /\b(?:affiliate|referral)\s+link\b/iu;

type Read = Pick<ImportedPost, 'text' | 'paid_partnership'>;

const readsAsPaid = ({ text, paid_partnership }: Read): boolean =>
  paid_partnership || PARTNER_MENTION.test(text) || PAYING_CODE.test(text) || PAYING_LINK.test(text);

export const paidPercentOf = (posts: readonly Read[]): number =>
  posts.length === 0 ? 0 : (100 * posts.filter((post) => isDisclosed(post) || readsAsPaid(post)).length) / posts.length;

export const undisclosedAmong = (posts: readonly Read[]): number =>
  posts.filter((post) => readsAsPaid(post) && !isDisclosed(post)).length;

/** Words that send posts to a person; a hit is no verdict. Update the date when you add a line. */
export const UNSAFE_TERMS = z.strictObject({ as_of: z.iso.date(), terms: z.record(z.string(), listed()) }).parse(file);

const spaced = (text: string): string => ` ${wordsOf(text).join(' ')} `;

const LISTED: readonly string[] = Object.values(UNSAFE_TERMS.terms).flat();
const TERMS = LISTED.map(spaced);

/** Reads a text with the listed terms and their plurals plain wherever it only looks like them. */
const skeleton = skeletonReader(LISTED.flatMap((term) => [term, ...writtenWordsOf(term).map((word) => `${word}s`)]));

/** Whether a person must review the texts: one of them, or its skeleton, contains a listed term as whole words. */
export const isToBeRead = (texts: readonly string[]): boolean =>
  texts.some((text) => hasTerm(text) || hasTerm(skeleton(text)));

const hasTerm = (text: string): boolean => {
  const words = spaced(text);
  return TERMS.some((term) => words.includes(term));
};

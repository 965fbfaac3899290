/** Reads posts for the vetting checks, before their text is cleaned (docs/domain/network.md#vetting). */

import { wordsOf } from '../audience/normalise.js';
import type { ImportedPost } from '../import/imported-creator.js';
import { isDisclosed } from '../launches/evidence.js';
import { UNSAFE_TERMS } from './unsafe-terms.js';

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

const TERMS: readonly string[] = Object.values(UNSAFE_TERMS.terms)
  .flat()
  .map((term) => ` ${wordsOf(term).join(' ')} `);

export const isToBeRead = (texts: readonly string[]): boolean =>
  texts.some((text) => {
    const words = ` ${wordsOf(text).join(' ')} `;
    return TERMS.some((term) => words.includes(term));
  });

/** What the vetting checks read out of the words of posts, before they are cleaned (domain 1-network 5). */

import { wordsOf } from '../audience/normalise.js';
import type { ImportedPost } from '../import/imported-creator.js';
import { isDisclosed } from '../launches/evidence.js';
import { UNSAFE_TERMS } from './unsafe-terms.js';

/** Forms in which a post names who stands behind it: a partner by handle, or a code that pays. */
const PARTNER_MENTION =
  /\b(?:partner(?:ed|ing|ship)?|teamed up|teaming up|collab(?:bed|bing|oration)?|ambassador|gifted)\s+(?:up\s+)?(?:with|for|by|of)\s+[@\uFF20]\w/iu;
const PAYING_CODE =
  /\b(?:[Uu]se|[Ww]ith)\s+(?:my\s+)?(?:(?:promo|discount|referral|affiliate)\s+)?code\s+["'“‘]?[A-Z0-9]{3,}\b/u;
const PAYING_LINK = /\b(?:affiliate|referral)\s+link\b/iu;

type Read = Pick<ImportedPost, 'text' | 'paid_partnership'>;

/** Whether a post reads as paid for: it is marked so, or names a partner, a code or a link that pays. */
const readsAsPaid = ({ text, paid_partnership }: Read): boolean =>
  paid_partnership || PARTNER_MENTION.test(text) || PAYING_CODE.test(text) || PAYING_LINK.test(text);

/** The share of paid posts in percent: those that say so, by the network's mark or a tag, and those that only read so. */
export const paidPercentOf = (posts: readonly Read[]): number =>
  posts.length === 0 ? 0 : (100 * posts.filter((post) => isDisclosed(post) || readsAsPaid(post)).length) / posts.length;

/** How many posts read as paid for and say so neither by the network's mark nor by a tag. */
export const undisclosedAmong = (posts: readonly Read[]): number =>
  posts.filter((post) => readsAsPaid(post) && !isDisclosed(post)).length;

const TERMS: readonly string[] = Object.values(UNSAFE_TERMS.terms)
  .flat()
  .map((term) => ` ${wordsOf(term).join(' ')} `);

/** Whether a person is to read the texts: one of them holds a listed term as whole words. */
export const isToBeRead = (texts: readonly string[]): boolean =>
  texts.some((text) => {
    const words = ` ${wordsOf(text).join(' ')} `;
    return TERMS.some((term) => words.includes(term));
  });

import { z } from 'zod';
import { hiddenIn } from './hidden.js';
import { saying } from './input.js';
import { textKinds } from './outside-text/kinds.js';
import { isLatinLookalike } from './outside-text/skeleton.js';
import { codePointCount } from './text.js';

/** More marks on one letter than any language writes. */
const PILED = /\p{M}{4}/u;
const SPACES = /[\p{Zs}\s]+/gu;

/** Scripts with letters that look like those of another. */
const LOOKALIKES = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

/** A name in one spelling: compatibility forms and runs of spaces are written the usual way. */
const nameSpelling = (text: string): string => text.normalize('NFKC').replace(SPACES, ' ').trim();

/** Whether one word mixes scripts whose letters look alike, as in a Latin word with a Cyrillic letter. */
export const mixesLookalikes = (word: string): boolean =>
  LOOKALIKES.filter((script) => script.test(word)).length > 1 ||
  (/\p{Script=Latin}/u.test(word) && [...word].some((letter) => letter > '\x7F' && isLatinLookalike(letter)));

const isName = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text) &&
  hiddenIn(text) === null &&
  !PILED.test(text) &&
  !text.split(/[^\p{L}\p{M}\p{N}]+/u).some(mixesLookalikes);

/** The name of a company or a person (docs/domain/sign-in.md#sign-up). */
export const nameInput = ({ max }: { max: number }) => {
  const error = saying(
    `must be a name of 1 to ${max} characters, without hidden characters and without letters of two alphabets in a word`,
  );
  return z
    .string({ error })
    .refine((text) => text.isWellFormed() && text.length <= max * 4, { error })
    .transform((text) => (hiddenIn(text) === null ? nameSpelling(text) : ''))
    .refine((text) => codePointCount(text) <= max && isName(text), { error })
    .meta({ minLength: 1, maxLength: max })
    .register(textKinds, { kind: 'name' });
};

import { unseenIn } from './outside-text/clean.js';

/** Characters that hide or turn text around: controls, invisible, direction-changing, unassigned and private ones. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Letters and marks that are blank in every font. */
const BLANK = /\u034F|\u17B4|\u17B5|[\u115F\u1160\u2800\u3164\uFFA0\u{1D159}]/u;

const isHidden = (character: string): boolean => HIDDEN.test(character) || BLANK.test(character);

/** The first character that nobody sees in a text, as "U+202E", or null. A line break counts as one of them. */
export const hiddenIn = (text: string): string | null => {
  const found = ([...text].find(isHidden) ?? unseenIn(text))?.codePointAt(0);
  return found === undefined ? null : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
};

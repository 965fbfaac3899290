/** Cleans third-party text before it is stored (docs/domain/network.md#posts-and-figures, rule 4). */
import { cleanText } from '@cds/contracts';
import { RAW_TEXT_MAX } from '../constants.js';
import { hideAddresses } from './addresses.js';
import { handleHider } from './own-handle.js';

const FULL_WIDTH = /[\uFF01-\uFF5E]/gu;
/** Every part is bounded by the limits of mail and host names, so matching takes linear time. */
const MAIL = /[^\s@<>()]{1,64}@[^\s@<>()]{1,255}\.[a-z]{2,24}/giu;
const LINK = /\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|www\.)\S+|\b(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?\/\S+/giu;
const MENTION = /(?:[@\uFE6B]|%40)\s?\W?\w{1,30}/gu;

/** A distinct space marks each removal until all are done; punctuation after it then closes the gap. */
const GAP = '\u2003';
const EMPTY = /[([{<][ \u2003]*\u2003[ \u2003]*[)\]}>]/gu;
const GAP_BEFORE_MARK = / ?\u2003[ \u2003]*([.,;:!?])/gu;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Full-width ASCII forms as plain ASCII; everything else is unchanged. */
const narrowed = (text: string): string =>
  text.replace(FULL_WIDTH, (wide) => String.fromCharCode((wide.codePointAt(0) ?? 0) - 0xfee0));

export const atMost = (text: string, max: number): string => {
  const points = [...text];
  return points.length <= max ? text : points.slice(0, max).join('').trimEnd();
};

/** A cleaner for the texts of a creator with these handles. It reads the first 4,000 characters. */
export const cleanerFor = (...handles: readonly string[]): ((text: string) => string) => {
  const own = new RegExp(`#?(?<![A-Za-z0-9_])(?:${handles.map(escaped).join('|')})(?![A-Za-z0-9_])`, 'giu');
  const hideHandle = handleHider(handles);
  return (text) => {
    const plain = narrowed(cleanText(atMost(text.slice(0, 2 * RAW_TEXT_MAX), RAW_TEXT_MAX)))
      .replace(/[^\S\n]+/gu, ' ')
      .replace(MAIL, GAP);
    const nameless = hideAddresses(plain, GAP).replace(LINK, GAP).replace(MENTION, GAP).replace(own, GAP);
    return hideHandle(nameless, GAP)
      .replace(EMPTY, GAP)
      .replace(GAP_BEFORE_MARK, '$1')
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/gu, '\n')
      .trim();
  };
};

export const positioningOf = (bio: string | null, max: number): string | null => {
  const first = bio?.split(/\n|(?<=[.!?])\s/u, 1)[0]?.trim() ?? '';
  if (first === '') return null;
  if ([...first].length <= max) return first;
  const space = [...first]
    .slice(0, max + 1)
    .join('')
    .lastIndexOf(' ');
  return space > 0 ? first.slice(0, space) : atMost(first, max);
};

/** Third-party text as it is kept: without mentions, links and the creator's own handle (domain 1-network 1, rule 4). */

const LINK =
  /\b(?:https?:\/\/|www\.)\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|co|ai|app|dev|me|ly|gg|tv|xyz|link|page|info|bio)\b(?:\/\S*)?/giu;
const MENTION = /[@\uFF20]\s?\w{1,30}/gu;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A cleaner for the texts of one creator; what is left is trimmed, with single spaces. */
export const cleanerFor = (handle: string): ((text: string) => string) => {
  const own = new RegExp(`(?<![A-Za-z0-9_])${escaped(handle)}(?![A-Za-z0-9_])`, 'giu');
  return (text) =>
    text
      .normalize('NFC')
      .replace(LINK, ' ')
      .replace(MENTION, ' ')
      .replace(own, ' ')
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/gu, '\n')
      .replace(/ ([.,;:!?])/gu, '$1')
      .trim();
};

/** At most `max` characters, counted in code points. */
export const atMost = (text: string, max: number): string => {
  const points = [...text];
  return points.length <= max ? text : points.slice(0, max).join('').trimEnd();
};

/** The first sentence or line of a bio, cut at a word; null without a bio. */
export const positioningOf = (bio: string | null, max: number): string | null => {
  const first = bio?.split(/\n|(?<=[.!?])\s/u, 1)[0]?.trim() ?? '';
  if (first === '') return null;
  if ([...first].length <= max) return first;
  const cut = atMost(first, max + 1);
  const space = cut.lastIndexOf(' ');
  return space > 0 ? cut.slice(0, space) : atMost(first, max);
};

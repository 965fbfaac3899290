export type Drawable = { text: (text: string) => string; replaced: () => boolean };

/** Stands visibly for a letter that cannot be drawn. */
const BOX = '□';

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** What a font draws of any Unicode: letters composed, spaces and line breaks of one kind, a box for what it lacks. */
export const drawable = (holds: (codePoint: number) => boolean): Drawable => {
  let replaced = false;
  const one = (character: string): string => {
    if (character === '\n') return character;
    if (/\p{Zs}|\t/u.test(character)) return ' ';
    if (INVISIBLE.test(character)) return '';
    if (holds(character.codePointAt(0) ?? 0)) return character;
    replaced = true;
    return BOX;
  };
  return {
    text: (text) => Array.from(text.toWellFormed().normalize('NFC'), one).join(''),
    replaced: () => replaced,
  };
};

/** How a text from outside is written when it is stored: nothing in it hides or turns what people read. */

/** Scripts whose letters join, and in which a joiner changes what a reader sees. */
const JOINING = [
  ...['Adlam', 'Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Hanifi_Rohingya', 'Kannada', 'Khmer'],
  ...['Malayalam', 'Mandaic', 'Mongolian', 'Myanmar', 'Nko', 'Oriya', 'Phags_Pa', 'Sinhala', 'Syriac', 'Tamil'],
  ...['Telugu', 'Tibetan'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** Characters that show nothing themselves and stay, because they shape those beside them. */
const SHAPING = [
  // Between letters that join, as in Persian and Hindi.
  `(?<=[${JOINING}]\\p{M}*)[\\u200C\\u200D](?=[${JOINING}])`,
  // Between the parts of one emoji.
  '(?<=\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=\\p{Extended_Pictographic})',
  // After the character whose form it selects. Anywhere else a selector shows nothing, and a row of them is a message.
  '(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]|(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
  '(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]|(?<=[\\p{Script=Myanmar}\\p{Script=Phags_Pa}\\p{Sm}])\\uFE00',
  '(?<=\\p{Script=Mongolian})[\\u180B-\\u180D\\u180F]',
  // In the flags of England, Scotland and Wales.
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}',
].join('|');

const UNSEEN = new RegExp(`(${SHAPING})|[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]`, 'gu');
/** Letters and signs that are blank in every font. */
const BLANK = /[\u2800\u3164\uFFA0\u{1D159}]/gu;
const BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;
const CONTROL = /(?![\t\n])\p{Cc}/gu;

/** A character that nobody sees and that shapes nothing beside it. */
export const unseenIn = (text: string): string | undefined =>
  [...text.matchAll(UNSEEN)].find(([, shaping]) => shaping === undefined)?.[0];

/** A text without the characters that nobody sees. Line breaks are \n, and letters with marks are composed. */
export const withoutUnseen = (text: string): string =>
  text
    .replace(BREAK, '\n')
    .replace(BLANK, ' ')
    .replace(UNSEEN, (_unseen, shaping: string | undefined) => shaping ?? '')
    .normalize('NFC');

/** The same without control characters other than tabs and line breaks. */
export const cleanText = (text: string): string => withoutUnseen(text.replace(BREAK, '\n').replace(CONTROL, ''));

/** Whether somebody can see a part of a cleaned text. */
export const isVisible = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** Whether a text holds characters that turn the direction of what follows them. */
export const turnsAround = (text: string): boolean => /[\u202A-\u202E\u2066-\u2069]/u.test(text);

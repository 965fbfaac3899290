/** Recognises a creator's own handle however it is spelled (docs/domain/network.md#posts-and-figures, rule 4). */
import { plainLook } from '@cds/contracts';

/** With fewer letters, a handle's other spellings are ordinary words. */
const LEAST = 4;
/** With this many, a longer word that holds them is the handle too, unless it is their inflection. */
const LONG = 8;
const INFLECTED = /^(?:s|es|ed|er|ers|lng|ly)$/;
/** What people add to a name that is taken. */
const AFFIXES = [
  ...[
    'xyz',
    'eth',
    'sol',
    'lens',
    'btc',
    'hq',
    'dev',
    'app',
    'ai',
    'io',
    'co',
    'tv',
    'yt',
    'ig',
    'tg',
    'x',
    'xx',
    'xo',
  ],
  ...['real', 'the', 'its', 'im', 'iam', 'hey', 'hi', 'official', 'not', 'og', 'mr', 'ms', 'mx', 'dr', 'team', 'alt'],
  ...['main', 'writes', 'builds', 'codes', 'online', 'daily', 'live', 'here', 'me', 'ask', 'hello', 'says', 'talks'],
  ...['blog', 'posts', 'studio', 'design', 'club', 'jr', 'mrs'],
].map((affix) => plainLook(affix));

/** Letters, those in circles and squares included, which Unicode counts as signs. */
const CHARACTER = String.raw`[\p{L}\p{M}\p{N}_\u24B6-\u24E9\u{1F110}-\u{1F189}\u{1F1E6}-\u{1F1FF}]`;
const JOINT = String.raw`(?:(?!${CHARACTER})[\p{P}\p{S}])+`;
const JOINTS = new RegExp(`(${JOINT})`, 'u');
const WORD = new RegExp(`#?${CHARACTER}+(?:${JOINT}${CHARACTER}+)*`, 'gu');
/** Letters set apart: q u i l l, q.u.i.l.l. */
const SPACED = /(?<![\p{L}\p{N}_])(?:[\p{L}\p{N}_][ .\-*·•|~]{1,2}){3,30}[\p{L}\p{N}_](?![\p{L}\p{N}_])/gu;

const lettersOf = (text: string): string => plainLook(text).replace(/[^\p{L}\p{N}]+/gu, '');
const withoutDigits = (text: string): string => text.replace(/^[\d_]+|[\d_]+$/g, '');

/** Whether a text is affixes alone. Each place is tried once, because "xxxx" is x and xx in many ways. */
const isAffix = (text: string): boolean => {
  const reached = new Set([0]);
  for (const at of reached) for (const affix of AFFIXES) if (text.startsWith(affix, at)) reached.add(at + affix.length);
  return reached.has(text.length);
};

/** Whether a word is one of the keys, alone or with affixes; a long one with whatever is added. */
const holds = (word: string, keys: readonly string[]): boolean =>
  keys.some((key) => {
    const at = word.indexOf(key);
    if (at < 0) return false;
    const [before, after] = [word.slice(0, at), word.slice(at + key.length)];
    if (isAffix(before) && isAffix(after)) return true;
    return key.length >= LONG && !(before === '' && INFLECTED.test(after));
  });

/** A finder of these handles in a text: it answers the text with `gap` in the place of each spelling. */
export const handleHider = (handles: readonly string[]): ((text: string, gap: string) => string) => {
  const exact = new Set(handles.map((handle) => handle.toLowerCase()).filter((handle) => handle !== ''));
  const keys = [...new Set(handles.flatMap((handle) => [handle, withoutDigits(handle)]).map(lettersOf))].filter(
    (key) => key.length >= LEAST,
  );

  const isOwn = (word: string): boolean => {
    const bare = word.replace('#', '');
    const plain = bare.toLowerCase();
    const spellings = [
      plain,
      plain.replace(/^_+|_+$/g, ''),
      withoutDigits(plain),
      plain.replace(/[^\p{L}\p{N}_]+/gu, ''),
    ];
    if (spellings.some((spelling) => exact.has(spelling))) return true;
    return [bare, withoutDigits(bare), bare.replace(/\d+/g, '')].some((one) => holds(lettersOf(one), keys));
  };

  const mayHold = (text: string): boolean => {
    const letters = lettersOf(text);
    const lower = text.toLowerCase();
    const plain = lower.replace(/[^\p{L}\p{N}_]+/gu, '');
    return (
      keys.some((key) => letters.includes(key)) || [...exact].some((one) => lower.includes(one) || plain.includes(one))
    );
  };

  return (text, gap) => {
    if (!mayHold(text)) return text;
    return text
      .replace(SPACED, (run) => (holds(lettersOf(run), keys) ? gap : run))
      .replace(WORD, (word) => {
        if (isOwn(word)) return gap;
        const parts = word.split(JOINTS);
        return parts.length > 1 && parts.some((part) => part !== '' && isOwn(part))
          ? parts.map((part) => (part !== '' && isOwn(part) ? gap : part)).join('')
          : word;
      });
  };
};

/** Finds addresses in a text, spelled out or not (docs/domain/network.md#posts-and-figures, rule 4). */
import { parse } from 'tldts';

/** Ends of names that wallets and networks resolve beside the public suffixes. */
const NAME_SERVICES: ReadonlySet<string> = new Set(
  'eth sol lens bnb crypto nft dao ton apt sui arb near tez xlm onion loki'.split(' '),
);

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}])?`;
const DOT_WORD = 'dot|punto|ponto|punkt';
const OPEN = String.raw`[[({<]\s?`;
const CLOSE = String.raw`\s?[\])}>]`;
/** Signs on both sides of a word that stands for a sign: -dot-, *at*. */
const AROUND = String.raw`\s?[-_*~|]{1,2}\s?`;
const DOT = String.raw`(?:[.。․﹒｡]|${AROUND}(?:${DOT_WORD})${AROUND}|\s?${OPEN}(?:${DOT_WORD}|\.)${CLOSE}\s?|\s(?:${DOT_WORD})\s|\s\.\s?)`;
const AT = String.raw`(?:${AROUND}(?:at|arroba)${AROUND}|\s?${OPEN}(?:at|arroba|@)${CLOSE}\s?|\sat\s)`;
const ADDRESS = new RegExp(
  String.raw`(?:[a-z][a-z0-9+.-]{0,20}://)?(?:(?<![\p{L}\p{N}_])([\p{L}\p{N}._+-]{1,64})(${AT}))?(?<![\p{L}\p{M}\p{N}_])(${LABEL}(?:${DOT}${LABEL}){1,8})(?::\d{1,5})?(?:/\S*)?`,
  'giu',
);
const SPELLED_AT = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])[\p{L}\p{N}._+-]{2,64}\s?${OPEN}(?:at|arroba)${CLOSE}\s?${LABEL}`,
  'giu',
);
const ANY_DOT = new RegExp(DOT, 'giu');
/** Degrees and abbreviations, such as B.Sc, and names of products that end like a domain. */
const NO_ADDRESS = /^(?:[A-Z]\.\p{Lu}\p{L}{0,4}|(?:[Aa][Ss][Pp]|ML|ml|VB|vb|ADO|ado)\.(?:NET|net|Net))$/u;

const isAddress = (host: string): boolean => {
  const plain = host.replace(ANY_DOT, '.').toLowerCase();
  const end = plain.slice(plain.lastIndexOf('.') + 1);
  if (!/\p{L}/u.test(end)) return false;
  if (NAME_SERVICES.has(end)) return true;
  const { domain, isIcann, isIp } = parse(plain);
  return domain !== null && isIcann === true && isIp !== true;
};

/** The longest address at the beginning of a text of labels, and what follows it. */
const cut = (found: string): string | null => {
  const dots = [...found.matchAll(ANY_DOT)];
  for (let count = dots.length; count > 0; count -= 1) {
    const end = dots[count]?.index ?? found.length;
    const host = found.slice(0, end);
    if (isAddress(host)) return host;
  }
  return null;
};

const withoutAddresses = (text: string, gap: string): string =>
  text.replace(ADDRESS, (whole, name: string | undefined, at: string | undefined, labels: string) => {
    const host = NO_ADDRESS.test(labels) ? null : cut(labels);
    if (host === null) return whole;
    const isPlain = host.length === labels.length;
    // "Work at acme.com" names a place of work; "quill at quill dot dev" is an address.
    const isPlace = at !== undefined && /^\sat\s$/i.test(at) && !/\s|[[({<]/.test(host);
    return `${isPlace ? `${name}${at}` : ''}${gap}${isPlain ? '' : labels.slice(host.length)}`;
  });

const MESSENGERS =
  'telegram|tele ?gram|tg|whats ?app|wa|discord|skype|we ?chat|weixin|viber|kik|threema|snap ?chat|insta(?:gram)?|ig|телеграмм?|телега|тг|в[ао]т?сапп?|вайбер|скайп|дискорд|инстаграм|微信';
const PLACES =
  'signal|line|matrix|session|threads|you ?tube|yt|git ?hub|gh|linked ?in|tik ?tok|twitch|blue ?sky|bsky|mastodon|farcaster|warpcast|nostr|keybase|facebook|fb|reddit|medium|substack|patreon|twitter|calendly|linktree|email|mail|gmail|dms?';
/** What follows the name of a messenger where nobody's name does. */
const ORDINARY =
  /^(?:a|about|account|admins?|ads?|ai|alpha|an|analytics|and|apis?|apps?|are|as|at|audiences?|automation|bots?|but|by|calls?|campaigns?|can|channels?|chats?|clients?|coach|communit(?:y|ies)|content|creators?|devs?|developers?|exports?|for|from|games?|gaming|groups?|growth|has|i|in|influencers?|business|lens|was|integrations?|invites?|is|launch(?:es)?|like|links?|marketing|marketer|messages?|messaging|mini|mods?|moderators?|my|nerd|news|newsletters?|nitro|of|on|only|open|or|our|payments?|pictures?|posts?|premium|products?|reels?|servers?|shops?|since|stickers?|stories|story|strategy|support|team|than|that|the|themes?|this|threads?|to|tools?|trading|training|users?|via|videos?|we|web|wednesdays?|with|work|workflows?|your?)$/iu;

const CONTACT = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])((?:${MESSENGERS})(?:\s(?:me|id|handle|user(?:name)?|name|is))?|(${PLACES})(?:\sid)?)(\s?[:=→➜@|]+\s?|\s?[-–/]\s?|\s)((?:live:)?[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?:#\d{2,5})?)`,
  'giu',
);
/** A made name before its messenger: jb_dev on Telegram. */
const NAMED_FIRST = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?=\w*[\d_])(?=\w*\p{L})\w{3,32}(\s(?:on|at|in)\s(?:${MESSENGERS}|${PLACES})(?![\p{L}\p{N}_]))`,
  'giu',
);
/** Abroad with a plus; at home with a zero, or an area in brackets. */
const PHONE =
  /(?<![\p{L}\p{N}.])\+\d[\d ().-]{6,18}\d|(?<![\p{L}\p{N}.,$€£])(?:\(0\d{1,4}\)|\(\d{3}\)|00?\d{2,4})[ ./-]?\d[\d ./-]{4,12}\d(?![\p{L}\p{N}])/gu;

const withoutContacts = (text: string, gap: string): string =>
  text
    .replace(CONTACT, (whole, service: string, place: string | undefined, sign: string, word: string) => {
      const isStated = /[:=→➜@|]/u.test(sign);
      const looksMade = /[\d_]/.test(word) && /\p{L}/u.test(word);
      const isName =
        place === undefined ? !ORDINARY.test(word) : isStated && /^\S{3,}$/.test(word) && !ORDINARY.test(word);
      return isName || (looksMade && !ORDINARY.test(word)) ? `${service}${sign}${gap}` : whole;
    })
    .replace(NAMED_FIRST, `${gap}$1`);

/** Nearly every text without an address has none of these. */
const SUSPECT =
  /[\p{L}\p{N}_][.。․﹒｡][\p{L}\p{N}]|[-_*~|]\s?(?:at|dot|arroba|p[ou]nto|punkt)\s?[-_*~|]|\s\.\s?\p{L}|\s(?:dot|p[ou]nto|punkt)\s|[[({<]\s?(?:[.@]|at|dot|arroba|p[ou]n)/iu;

/** A text with `gap` in the place of domains, addresses spelled out, telephone numbers and names in messengers. */
export const hideAddresses = (text: string, gap: string): string => {
  const bare = SUSPECT.test(text) ? withoutAddresses(text, gap).replace(SPELLED_AT, gap) : text;
  return withoutContacts(bare.replace(PHONE, gap), gap);
};

/** Version 1 (docs/domain/network.md#taxonomy). A label is given only if it is not the id with spaces and a capital. */
export const TAXONOMY_VERSION = 1;

const listed = (id: string, label?: string) => ({
  id,
  label: label ?? id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' '),
});

export const SEGMENTS: readonly { readonly id: string; readonly label: string }[] = [
  listed('ai-builders', 'AI builders'),
  listed('software-developers'),
  listed('cloud-infrastructure', 'Cloud and infrastructure'),
  listed('cybersecurity'),
  listed('data-analytics', 'Data and analytics'),
  listed('it-decision-makers', 'IT decision makers'),
  listed('startup-founders'),
  listed('investors', 'Venture investors'),
  listed('product-design', 'Product and design'),
  listed('marketing'),
  listed('sales'),
  listed('hr-recruiting', 'HR and recruiting'),
  listed('small-business', 'Small business owners'),
  listed('finance-professionals'),
  listed('fintech'),
  listed('crypto', 'Crypto and web3'),
  listed('personal-investing'),
  listed('gaming'),
  listed('creators-media', 'Creators and media'),
  listed('consumer-tech'),
  listed('science'),
  listed('health-fitness', 'Health and fitness'),
  listed('outdoors'),
  listed('parents'),
  listed('food', 'Food and drink'),
  listed('fashion-beauty', 'Fashion and beauty'),
  listed('travel'),
  listed('sports'),
  listed('automotive'),
  listed('home-diy', 'Home and DIY'),
  listed('education'),
  listed('sustainability'),
  listed('music-film', 'Music and film'),
  listed('policy-news', 'Policy and news'),
];

/** The known segment ids; a `segment` or `match` naming another is 400 (docs/domain/network.md#lists). */
export const SEGMENT_IDS: ReadonlySet<string> = new Set(SEGMENTS.map((segment) => segment.id));

export const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

const MAX_EDITS = 3;
const MAX_WORD_EDITS = 1;
const LONG_WORD = 5;
const SUGGESTED_MOST = 3;

/** Whether a word of an unknown id means a word of a known one: equal, its beginning, or one letter off. */
const isWordOf = (word: string, known: string): boolean =>
  word === known ||
  (word.length > 2 && known.startsWith(word)) ||
  (known.length > 2 && word.startsWith(known)) ||
  (word.length >= LONG_WORD && distance(word, known) <= MAX_WORD_EDITS);

const wordsShared = (id: string, known: string): number =>
  id.split('-').filter((word) => known.split('-').some((other) => isWordOf(word, other))).length;

/** The known ids nearest to an unknown one, nearest first: those that share words, then those a few letters away. */
export const nearestSegments = (id: string): string[] =>
  SEGMENTS.map((segment) => ({
    id: segment.id,
    shared: wordsShared(id, segment.id),
    edits: distance(id, segment.id),
  }))
    .filter(({ shared, edits }) => shared > 0 || edits <= MAX_EDITS)
    .sort((one, other) => other.shared - one.shared || one.edits - other.edits)
    .slice(0, SUGGESTED_MOST)
    .map((segment) => segment.id);

/** A label or other text as an id is written. */
const asId = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);

/** What is wrong with unknown segment ids, with the nearest known ones. Other text than an id is not repeated. */
export const unknownSegments = (ids: readonly string[]): string => {
  const nearest = [...new Set(ids.flatMap((id) => nearestSegments(asId(id))))];
  const hint =
    nearest.length === 0 ? 'Resolving an audience turns a description into ids.' : `Nearest: ${nearest.join(', ')}.`;
  if (!ids.every((id) => /^[a-z0-9-]{1,40}$/i.test(id))) return `must contain known audience segment ids only. ${hint}`;
  return `names ${ids.length === 1 ? 'an unknown segment' : 'unknown segments'}: ${ids.join(', ')}. ${hint}`;
};

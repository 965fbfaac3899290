/** The words of the generated network: made-up people, who say plain things about what their segments care for. */

export const FIRST_NAMES = [
  'Ada', 'Amara', 'Anton', 'Bela', 'Bruno', 'Carla', 'Chidi', 'Dana', 'Dario', 'Edda', 'Elif', 'Emeka', 'Farah', 'Felix',
  'Goran', 'Hana', 'Hugo', 'Ines', 'Ivo', 'Jana', 'Jonas', 'Kaia', 'Kenji', 'Lars', 'Leila', 'Lina', 'Luca', 'Maren',
  'Mateo', 'Mira', 'Nadia', 'Niko', 'Nora', 'Olek', 'Otto', 'Paula', 'Petra', 'Rafael', 'Ravi', 'Rosa', 'Sami', 'Sanna',
  'Selma', 'Soren', 'Tala', 'Tomas', 'Uma', 'Vera', 'Viktor', 'Wanda', 'Yara', 'Yusuf', 'Zara', 'Zeno',
] as const;

export const LAST_NAMES = [
  'Aldana', 'Arvola', 'Basri', 'Belmar', 'Brandis', 'Calder', 'Castelo', 'Dahlin', 'Demir', 'Duarte', 'Eklund', 'Fariz',
  'Feld', 'Garrow', 'Hallberg', 'Haruno', 'Ibarra', 'Isken', 'Jarosz', 'Kallas', 'Karimi', 'Kessel', 'Lindqvist',
  'Lomax', 'Marlow', 'Menon', 'Moriya', 'Nakato', 'Nordby', 'Okafor', 'Orlan', 'Pacek', 'Petrov', 'Quint', 'Rahimi',
  'Rinaldi', 'Roswell', 'Sato', 'Severin', 'Solberg', 'Tamura', 'Tervo', 'Ulmer', 'Valdes', 'Vance', 'Varga', 'Wexler',
  'Yilmaz', 'Zeller', 'Zorin',
] as const;

/** Countries as the network shows them, with the weights of their shares. */
export const COUNTRIES: readonly (readonly [string, number])[] = [
  ['United States', 40], ['United Kingdom', 12], ['India', 9], ['Germany', 7], ['Canada', 6], ['France', 5], ['Spain', 4],
  ['Brazil', 4], ['Netherlands', 3], ['Australia', 3], ['Nigeria', 3], ['Japan', 2], ['Mexico', 2],
];

export const LANGUAGES: readonly (readonly [string, number])[] = [
  ['English', 74], ['Spanish', 7], ['German', 6], ['French', 5], ['Portuguese', 4], ['Japanese', 2], ['Hindi', 2],
];

/** Sentences about a subject; {} stands for an alias of a segment. */
export const ON_TOPIC = [
  'Three lessons about {} that took me far too long.',
  'What most threads get wrong about {}.',
  'A short note on {} after a long week.',
  'I changed my mind about {} this month. Here is why.',
  'The best question I heard today was about {}.',
  'If {} is your thing, this one is for you.',
  'Five numbers on {} that surprised me.',
  'Unpopular opinion: {} is still early.',
  'Nobody talks enough about {}.',
  'My honest notes on {}, the good and the boring parts.',
  'Saved you an hour of reading on {}.',
  'Asked around about {} and the answers were not what I expected.',
] as const;

/** Sentences about nothing in particular. */
export const OFF_TOPIC = [
  'Slow morning, long list, good mood.',
  'Reply with the best thing you learned this week.',
  'Going quiet for the weekend.',
  'That meeting could have been a sentence.',
  'Small wins still count.',
  'Back from a break with too many tabs open.',
] as const;

export const BIOS = [
  'Writing about {} and {}. Notes from practice, not theory.',
  'All things {}. Sometimes {}.',
  'Daily notes on {}, with a soft spot for {}.',
  'Years of {}. Now explaining {} in plain words.',
] as const;

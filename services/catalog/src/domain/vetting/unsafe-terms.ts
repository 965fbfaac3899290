/**
 * Words that send a creator's posts to a person for review (docs/domain/network.md#vetting). A hit is no verdict: news
 * about a war matches too. Update the date when you add a line.
 */
export const UNSAFE_TERMS = {
  as_of: '2026-11-01',
  terms: {
    hate: [
      'ethnic cleansing',
      'great replacement',
      'heil hitler',
      'master race',
      'race traitor',
      'subhuman',
      'white power',
    ],
    violence: ['beheading', 'bomb threat', 'kill them all', 'mass shooting', 'school shooting', 'death threat'],
    'self-harm': ['kill yourself', 'kys', 'self harm', 'suicide method'],
    sexual: ['onlyfans', 'nsfw', 'porn', 'xxx', 'escort service', 'sex tape'],
    drugs: ['buy cocaine', 'buy weed', 'fentanyl for sale', 'mdma for sale', 'meth for sale'],
    weapons: ['ghost gun', 'guns for sale', 'untraceable firearm'],
    fraud: [
      'double your bitcoin',
      'double your crypto',
      'fake followers',
      'get rich quick',
      'guaranteed return',
      'pump and dump',
      'stolen card',
    ],
    gambling: ['betting tip', 'free spin', 'online casino', 'sure bet'],
  },
} as const;

/** The fixed lists of the network's words (docs/specification.md#resources, docs/domain/network.md). */
export const REACH_BANDS = ['nano', 'micro', 'mid', 'macro', 'mega'] as const;
export type ReachBand = (typeof REACH_BANDS)[number];

export const FORMATS = ['post', 'quote', 'thread'] as const;
export type Format = (typeof FORMATS)[number];

export const GOALS = ['launch', 'funding', 'feature', 'program'] as const;
export type Goal = (typeof GOALS)[number];

export const CREATOR_STATUSES = ['approved', 'borderline', 'not_reviewed', 'declined'] as const;
export type CreatorStatus = (typeof CREATOR_STATUSES)[number];

/** The channels of a coverage answer; the team's plan lines may use further ones. */
export const NETWORK_CHANNELS = ['x_creators', 'reddit', 'clipping'] as const;

export const CREATOR_SORTS = ['match', 'followers', 'engagement', 'views', 'price'] as const;
export type CreatorSort = (typeof CREATOR_SORTS)[number];

export const VIEWS_SOURCES = ['network', 'creator'] as const;

/** What a campaign may name; `other` is any allowed category (docs/domain/network.md#category-screening). */
export const CATEGORIES = [
  'adult',
  'alcohol',
  'contraceptives',
  'dating',
  'drugs',
  'tobacco-nicotine',
  'weapons',
  'weight-loss',
  'medicines-supplements',
  'politics-social-issues',
  'gambling',
  'financial-products',
  'crypto',
  'health-devices-services',
  'products-for-children',
  'other',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The roles of the operator's team (docs/domain/access.md#roles). */
export const OPERATOR_ROLES = ['viewer', 'network', 'fulfilment', 'finance', 'lead'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The roles of a brand's people, each with the rights of those before it (docs/domain/access.md#roles). */
export const BRAND_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type BrandRole = (typeof BRAND_ROLES)[number];

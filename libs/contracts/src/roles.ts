/** The roles of the operator's team (domain 4-doors 2). */
export const OPERATOR_ROLES = ['viewer', 'network', 'fulfilment', 'finance', 'lead'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The roles of a brand's people, each with the rights of those before it (domain 4-doors 2). */
const BRAND_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type BrandRole = (typeof BRAND_ROLES)[number];

import type { OperationDeclaration } from './operation.js';

/** The roles of a brand's people, each with the rights of those before it (domain 4-doors 2). */
export const BRAND_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type BrandRole = (typeof BRAND_ROLES)[number];

/** Whether a person of a role may call a person's operation (domain 4-doors 3.2). */
export const mayAct = (role: BrandRole, operation: Pick<OperationDeclaration, 'atLeast'>): boolean =>
  operation.atLeast !== undefined && BRAND_ROLES.indexOf(role) >= BRAND_ROLES.indexOf(operation.atLeast);

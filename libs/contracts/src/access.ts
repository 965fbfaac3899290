import type { OperationDeclaration } from './operation.js';
import { BRAND_ROLES, type BrandRole, type OperatorRole } from './roles.js';

/** Whether a role may call an operator's operation: every role reads, a lead does everything, others their own area. */
export const mayOperate = (role: OperatorRole, operation: Pick<OperationDeclaration, 'effect' | 'role'>): boolean =>
  role === 'lead' ||
  operation.role === 'everyone' ||
  (operation.role !== undefined &&
    operation.role !== 'lead' &&
    (operation.effect === 'read' || role === operation.role || (operation.role === 'writer' && role !== 'viewer')));

/** Whether a person's role has the rights of another (docs/domain/access.md#roles). */
export const hasRole = (role: BrandRole, atLeast: BrandRole): boolean =>
  BRAND_ROLES.indexOf(role) >= BRAND_ROLES.indexOf(atLeast);

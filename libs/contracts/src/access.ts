import type { OperationDeclaration } from './operation.js';
import type { OperatorRole } from './roles.js';

/** Whether a role may call an operator's operation: every role reads, a lead does everything, others their own area. */
export const mayOperate = (role: OperatorRole, operation: Pick<OperationDeclaration, 'effect' | 'role'>): boolean =>
  role === 'lead' ||
  (operation.role !== undefined &&
    operation.role !== 'lead' &&
    (operation.effect === 'read' || role === operation.role || (operation.role === 'writer' && role !== 'viewer')));

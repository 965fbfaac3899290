import type { OperationDeclaration } from './operation.js';

/** The roles of the operator's team (domain 4-doors 2). */
export const OPERATOR_ROLES = ['viewer', 'network', 'fulfilment', 'finance', 'lead'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Whether a role may call an operator's operation: every role reads, a lead does everything, others their own area. */
export const mayOperate = (role: OperatorRole, operation: Pick<OperationDeclaration, 'effect' | 'role'>): boolean =>
  role === 'lead' ||
  (operation.role !== undefined &&
    operation.role !== 'lead' &&
    (operation.effect === 'read' || role === operation.role || (operation.role === 'writer' && role !== 'viewer')));

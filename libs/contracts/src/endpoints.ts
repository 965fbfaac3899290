import type { OperationDeclaration } from './operation.js';

/** The two roots of the API below the application's host (docs/specification.md#the-specification). */
const ROOTS = { v1: '/api/v1', app: '' } as const;

export type RestOperation = OperationDeclaration & { rest: NonNullable<OperationDeclaration['rest']> };

export const hasEndpoint = (operation: OperationDeclaration): operation is RestOperation =>
  operation.rest !== undefined;

export const pathOf = (operation: RestOperation): string => `${ROOTS[operation.rest.root]}${operation.rest.path}`;

/** Whether the public documents list an operation: those for brands, sandboxes and the public. */
export const isPublished = (operation: OperationDeclaration): operation is RestOperation =>
  hasEndpoint(operation) && ['brand', 'public', 'sandbox'].includes(operation.audience);

import type { OperationDeclaration } from './operation.js';

/** Where the two roots of the API stand below the application's host (spec, "Creator Distribution Service API"). */
const ROOTS = { v1: '/api/v1', app: '' } as const;

/** An operation with a REST door. */
export type RestOperation = OperationDeclaration & { rest: NonNullable<OperationDeclaration['rest']> };

/** Whether an operation has a REST door. */
export const hasDoor = (operation: OperationDeclaration): operation is RestOperation => operation.rest !== undefined;

/** The whole path of an operation below the application's host, with {names} in braces. */
export const pathOf = (operation: RestOperation): string => `${ROOTS[operation.rest.root]}${operation.rest.path}`;

/** Whether the public documents list an operation: brands, sandboxes and the public; never operators or the bus. */
export const isPublished = (operation: OperationDeclaration): operation is RestOperation =>
  hasDoor(operation) && ['brand', 'public', 'sandbox'].includes(operation.audience);

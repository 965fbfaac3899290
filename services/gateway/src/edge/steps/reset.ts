import { type AppError, type OperationDeclaration, unavailable } from '@cds/contracts';
import type { Caller } from './caller.js';

/**
 * Why a write of a sandbox that is being reset is not sent to its service (docs/domain/access.md#reset); null when it
 * is. What the gateway itself keeps, such as keys, may change meanwhile.
 */
export const duringReset = (
  { resetting }: Pick<Caller, 'resetting'>,
  { name, effect, service, audience }: OperationDeclaration,
): AppError | null => {
  const isRemoved = service !== 'gateway' || audience === 'sandbox';
  if (!resetting || effect === 'read' || name === 'sandbox_reset' || !isRemoved) return null;
  return unavailable('This sandbox is being reset. Send the request again in a second.', 1);
};

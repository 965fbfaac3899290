import { setTimeout as delay } from 'node:timers/promises';
import type { AppError, OperationDeclaration } from '@cds/contracts';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';
import type { Caller } from './caller.js';

/**
 * What a sandbox's fault answers a call, in place of the owning service (docs/domain/access.md#faults); null when the
 * service answers. Only keys of a sandbox with faults look for one. The request gets the time of a delay on top of its
 * own.
 */
export const rehearsed = async (
  edge: Edge,
  exchange: Exchange,
  { principal, faultsArmed, networkNow }: Caller,
  { name, audience }: OperationDeclaration,
): Promise<AppError | null> => {
  if (!faultsArmed || audience !== 'brand') return null;
  const fault = await edge.takeFault(principal.workspace, name, networkNow);
  if (fault === null) return null;

  if (fault.delayMs > 0) {
    exchange.deadline.extend(exchange.deadline.remainingMs() + fault.delayMs);
    await delay(fault.delayMs);
  }
  return fault.error;
};

import {
  AppError,
  inOrderOf,
  type OperationDeclaration,
  type OperationName,
  type Output,
  unprocessable,
} from '@cds/contracts';
import { type Ctx, parseBytes } from '@cds/service';
import { contextOf, LIMIT_MS } from '../context.js';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';
import type { Caller } from './caller.js';
import { type Shaped, withSafeNames } from './validate.js';

/**
 * Step 10 (docs/domain/access.md#order-of-errors): missing and wrong values of the body as one 422. For such a body the
 * owning service adds what only it can know; a body without any is judged by its operation
 * (docs/domain/plans.md#campaign-input).
 */
export const checkValues = async (
  edge: Edge,
  exchange: Exchange,
  caller: Caller,
  operation: OperationDeclaration,
  { sent, wrong }: Shaped['body'],
): Promise<void> => {
  if (wrong.length === 0) return;
  if (operation.judge === undefined) throw unprocessable(withSafeNames(wrong));

  const ctx = contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.read);
  const further = await judged(edge, ctx, operation.judge, sent);
  throw unprocessable(withSafeNames(inOrderOf(Object.keys(operation.body?.shape ?? {}), sent, [...wrong, ...further])));
};

const judged = async (edge: Edge, ctx: Ctx, judge: string, sent: Record<string, unknown>) => {
  const reply = await edge.bus.send(judge as OperationName, ctx, { sent }, ctx.deadline.remainingMs());
  if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, reply.error.details);
  return (parseBytes(reply.bytes) as Output<'campaign_input_problems'>).problems;
};

import type { Command, OperationDeclaration, Switches } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { Caller } from './callers.js';
import { type Exchange, headerValues } from './http/exchange.js';

/** Request limits in milliseconds (docs/reliability.md#deadlines). An operator's import of a network takes longest. */
export const LIMIT_MS = { write: 25_000, read: 10_000, operatorWrite: 60_000 } as const;

export const limitOf = (operation: OperationDeclaration): number =>
  operation.effect === 'write' && operation.audience === 'operator'
    ? LIMIT_MS.operatorWrite
    : LIMIT_MS[operation.waits === true ? 'write' : operation.effect];

export const contextOf = (
  exchange: Exchange,
  caller: Caller,
  command: Command | null,
  switches: Switches,
  limitMs: number,
): Ctx => ({
  requestId: exchange.requestId,
  attemptId: exchange.attemptId,
  traceparent: exchange.trace.traceparent,
  principal: caller.principal,
  command,
  now: caller.now,
  networkNow: caller.networkNow,
  deadline: exchange.deadline.atMost(limitMs),
  switches,
  ...(exchange.rate === null ? {} : { minute: exchange.rate }),
  client: { address: exchange.address, userAgent: headerValues(exchange.raw, 'user-agent')[0] ?? '' },
});

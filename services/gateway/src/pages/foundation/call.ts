import {
  AppError,
  type ErrorBody,
  type OperationDeclaration,
  type OperationName,
  type Output,
  operationMap,
} from '@cds/contracts';
import { publicError } from '@cds/service';
import type { Caller } from '../../edge/callers.js';
import type { Edge } from '../../edge/edge.js';
import { statusOf } from '../../edge/http/answer.js';
import type { Exchange } from '../../edge/http/exchange.js';
import { perform } from '../../edge/lifecycle.js';

/** How an operation that a page called has ended. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; status: number; error: ErrorBody };

/** What a page sends to an operation. */
export type Sent = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** The Idempotency-Key, which a form's token stands for. */
  key?: string;
};

/** Who calls, in which request. */
export type Visit = { edge: Edge; exchange: Exchange; caller: Caller };

const textOf = (body: Uint8Array | string): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8');

/** On operations that keys call too, a person acts as the workspace's own agent key (docs/domain/access.md#roles). */
const callerFor = (caller: Caller, { audience }: OperationDeclaration): Caller =>
  audience === 'brand' && caller.principal.audience === 'person'
    ? { ...caller, principal: { ...caller.principal, audience } }
    : caller;

/** Runs an operation for a page: steps 7 to 15, as REST and MCP do. A refusal of any step is returned, never raised. */
export const call = async <N extends OperationName>(
  { edge, exchange, caller }: Visit,
  name: N,
  { params = {}, query = {}, body = {}, key }: Sent = {},
): Promise<Outcome<Output<N>>> => {
  const operation: OperationDeclaration = operationMap[name];
  try {
    const done = await perform(edge, exchange, callerFor(caller, operation), {
      operation,
      idempotencyKeys: key === undefined ? [] : [key],
      keyField: 'Idempotency-Key',
      parts: async () => ({ params, query, body, problems: [] }),
    });
    if (!done.ok) return { ok: false, status: done.status, error: done.error };
    const text = textOf(done.body);
    // The bus and our own handlers answer what the declaration says.
    return { ok: true, value: (text === '' ? null : JSON.parse(text)) as Output<N> };
  } catch (error) {
    const { body: shown, status } = publicError(error, edge.log, name);
    return { ok: false, status: statusOf(shown, status), error: shown };
  }
};

/** The value of an operation that the whole page depends on. Raises its refusal. */
export const need = <T>(outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.value;
  throw new AppError(outcome.error.code, outcome.error.message, outcome.error.details);
};

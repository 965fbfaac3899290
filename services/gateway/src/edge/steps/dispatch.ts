import type { Readable } from 'node:stream';
import type { AppError, ErrorBody, OperationDeclaration, OperationName } from '@cds/contracts';
import { type Bound, type Ctx, Encoded, publicError, type Reply, runOperation } from '@cds/service';
import type { Edge } from '../edge.js';
import { statusOf } from '../http/answer.js';
import { Streamed } from '../streamed.js';
import { askAgain } from './ask-again.js';

/** How an operation ended, with its value still encoded; each transport renders it. A stream follows no body. */
export type Done =
  | { ok: true; status: number; replayed: boolean; body: Uint8Array | string; stream?: Readable }
  | { ok: false; status: number; replayed: boolean; error: ErrorBody };

const refused = (error: ErrorBody, status: number | undefined, replayed: boolean): Done => ({
  ok: false,
  status: statusOf(error, status),
  replayed,
  error,
});

/** An error that is an operation's outcome before any service was asked. */
export const refusedWith = (error: AppError): Done => refused(error.body(), error.status, false);

const ofReply = (reply: Reply): Done =>
  reply.ok
    ? { ok: true, status: reply.status, replayed: reply.replayed, body: reply.bytes }
    : refused(reply.error, reply.status, reply.replayed);

const encoded = (value: unknown): Uint8Array | string =>
  value instanceof Encoded ? value.json : JSON.stringify(value);

const runHere = async (edge: Edge, bound: Bound, ctx: Ctx, input: Record<string, unknown>): Promise<Done> => {
  const result = await runOperation(edge.shell, bound, ctx, input);
  if ('value' in result) {
    const stream = result.value instanceof Streamed ? { stream: result.value.stream } : {};
    return { ok: true, status: result.status, replayed: false, body: encoded(result.value), ...stream };
  }
  if (result.ok) return { ok: true, status: result.status, replayed: result.replayed, body: result.json };
  return refused(result.error, result.status, result.replayed);
};

const overTheBus = (
  edge: Edge,
  ctx: Ctx,
  { name, effect }: OperationDeclaration,
  input: Record<string, unknown>,
): Promise<Reply> => {
  const send = () => edge.bus.send(name as OperationName, ctx, input, ctx.deadline.remainingMs());
  return effect === 'write' && ctx.command !== null ? askAgain(send) : send();
};

/** Steps 12 to 15. An error from here on is the operation's own outcome: returned, never raised. */
export const dispatch = async (
  edge: Edge,
  ctx: Ctx,
  operation: OperationDeclaration,
  input: Record<string, unknown>,
): Promise<Done> => {
  const bound = edge.own.get(operation.name);
  try {
    return await ctx.deadline.run(() =>
      bound === undefined ? overTheBus(edge, ctx, operation, input).then(ofReply) : runHere(edge, bound, ctx, input),
    );
  } catch (error) {
    const { body, status } = publicError(error, edge.log, operation.name);
    return refused(body, status, false);
  }
};

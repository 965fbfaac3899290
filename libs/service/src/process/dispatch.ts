import {
  AppError,
  type ErrorBody,
  isEventOperation,
  mayCall,
  type OperationDeclaration,
  operationsOf,
  type ServiceName,
  subjectOf,
  type WireContext,
} from '@cds/contracts';
import { context as otelContext, propagation, SpanKind, trace } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { type Ctx, fromWire } from '../bus/context.js';
import { decodeRequest, Encoded, encodeError, encodeOk, type PairKeys } from '../bus/envelope.js';
import type { Frames } from '../bus/frames.js';
import { attemptCommand } from '../commands/canonical.js';
import { Change } from '../commands/change.js';
import type { Outcome } from '../commands/commands.js';
import { commitChange, runWrite, type WriteShell } from '../commands/run-write.js';
import { isDatabaseAway } from '../store/away.js';
import { camel, Settled } from './handler.js';

export type AnyHandler = (ctx: Ctx, input: never, deps: never) => Promise<unknown>;

/** A declared operation bound to its handler and dependencies. */
export type Bound = {
  operation: OperationDeclaration;
  run: (ctx: Ctx, input: Record<string, unknown>) => Promise<unknown>;
};

/** Binds a service's handlers to their dependencies, one per declared operation but those that every service has. */
export const bindHandlers = (service: ServiceName, handlers: object, deps: object): Map<string, Bound> =>
  new Map(
    operationsOf(service).flatMap((operation) => {
      if (isEventOperation(operation.name)) return [];
      const handler = (handlers as Record<string, AnyHandler>)[camel(operation.name)];
      if (handler === undefined) throw new Error(`${service} has no handler for ${operation.name}`);
      const run = (ctx: Ctx, input: Record<string, unknown>) => handler(ctx, input as never, deps as never);
      return [[operation.name, { operation, run }]];
    }),
  );

/**
 * Runs one operation in this process: deadline, then the handler, under its command when it is a write that commits
 * here. Raises AppError, or a bug.
 */
export const runOperation = async (
  shell: WriteShell,
  bound: Bound,
  ctx: Ctx,
  input: Record<string, unknown>,
): Promise<Outcome | { value: unknown; status: number }> => {
  const status = bound.operation.success ?? 200;
  ctx.deadline.check();
  if (bound.operation.effect === 'read' || bound.operation.idempotency === undefined) {
    const value = await bound.run(ctx, input);
    if (value instanceof Settled) return value.outcome;
    if (!(value instanceof Change)) return { value, status };
    // An internal write is idempotent by an id of its own; the command in its context belongs to the caller's write.
    let first: Change<unknown> | undefined = value;
    return commitChange(
      shell,
      ctx,
      bound.operation.name,
      status,
      async () => {
        const decided = first ?? ((await bound.run(ctx, input)) as Change<unknown>);
        first = undefined;
        return decided;
      },
      false,
    );
  }

  if (bound.operation.ownRecord === true) {
    const value = await bound.run(ctx, input);
    return value instanceof Settled ? value.outcome : { value, status };
  }
  return runWrite(shell, ctx, bound.operation.name, status, () => bound.run(ctx, input) as Promise<Change<unknown>>);
};

/** The error that a caller sees: our own words, the database's absence as unavailable, anything else as internal. */
export const publicError = (
  error: unknown,
  log: Logger,
  operation: string,
): { body: ErrorBody; status: number | undefined } => {
  if (error instanceof AppError) {
    if (error.code === 'internal') log.error({ err: error, operation }, 'an operation failed');
    return { body: error.body(), status: error.status };
  }
  if (isDatabaseAway(error)) {
    log.warn({ err: error, operation }, 'the database is away');
    return {
      body: {
        code: 'unavailable',
        message:
          'The service cannot reach its database. Retry in a moment; retry a write with the same Idempotency-Key.',
        details: { retry_after: 2 },
      },
      status: undefined,
    };
  }
  log.error({ err: error, operation }, 'an operation failed');
  return {
    body: {
      code: 'internal',
      message:
        'The service failed on its side. Retry a write with the same Idempotency-Key; quote the x-request-id when you report it.',
    },
    status: undefined,
  };
};

/**
 * The bus side of an operation: opens the envelope, runs, frames the reply. Never throws, and never answers later than
 * its deadline, whatever the operation waits for: the place it takes is free for another.
 */
export const answerRequest = async (
  me: ServiceName,
  from: PairKeys,
  shell: WriteShell & { frames: Frames },
  bound: Bound,
  data: Uint8Array,
  log: Logger,
): Promise<Uint8Array> => {
  const { operation } = bound;
  try {
    const { context, input } = decodeRequest(subjectOf(operation), data, me, from);
    if (!mayCall(context.iss, operation))
      throw new AppError('forbidden', `${context.iss} may not call ${operation.name}.`);
    const ctx = repeatable(operation, fromWire(context, operation.effect), input);
    const parent =
      ctx.traceparent === ''
        ? otelContext.active()
        : propagation.extract(otelContext.active(), { traceparent: ctx.traceparent });
    return await otelContext.with(parent, () =>
      trace.getTracer('bus').startActiveSpan(operation.name, { kind: SpanKind.SERVER }, async (span) => {
        try {
          return frame(
            await ctx.deadline.run(async () => {
              await takeOnce(shell.frames, operation, ctx, context);
              return runOperation(shell, bound, ctx, input);
            }),
          );
        } finally {
          span.end();
        }
      }),
    );
  } catch (error) {
    const { body, status } = publicError(error, log, operation.name);
    return encodeError(body, status);
  }
};

/**
 * A write without an Idempotency-Key runs under a command of its attempt: a second delivery of its frame finds the record
 * as a repeat under a key would.
 */
const repeatable = (operation: OperationDeclaration, ctx: Ctx, input: Record<string, unknown>): Ctx =>
  operation.idempotency === undefined || ctx.command !== null
    ? ctx
    : { ...ctx, command: attemptCommand(ctx.attemptId, operation.name, input) };

/** An internal write has no command: its frame is taken once, unless an id of its own makes a repeat harmless. */
const takeOnce = async (
  frames: Frames,
  operation: OperationDeclaration,
  ctx: Ctx,
  context: WireContext,
): Promise<void> => {
  if (operation.effect === 'read' || operation.idempotency !== undefined || operation.byOwnId === true) return;
  ctx.deadline.check();
  await frames.take(context);
};

const frame = (result: Outcome | { value: unknown; status: number }): Uint8Array => {
  if ('value' in result) return encodeOk(result.value, result.status, false);
  if (result.ok) return encodeOk(new Encoded(result.json), result.status, result.replayed);
  return encodeError(result.error, result.status, result.replayed);
};

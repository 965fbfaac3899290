import {
  AppError,
  type ErrorBody,
  isShellOperation,
  mayCall,
  type OperationDeclaration,
  operationByName,
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
import type { Jobs } from '../clock/jobs.js';
import { attemptCommand } from '../commands/canonical.js';
import { Change } from '../commands/change.js';
import type { Outcome } from '../commands/commands.js';
import { commitChange, runWrite, type WriteShell } from '../commands/run-write.js';
import { isDatabaseUnavailable } from '../store/database-unavailable.js';
import { camel, RecordedOutcome } from './handler.js';

type AnyHandler = (ctx: Ctx, input: never, deps: never) => Promise<unknown>;

/** A declared operation with its handler and dependencies bound. */
export type Bound = {
  operation: OperationDeclaration;
  run: (ctx: Ctx, input: Record<string, unknown>) => Promise<unknown>;
};

/** Binds a service's handlers, one per declared operation, except those that the shell of every service answers. */
export const bindHandlers = (service: ServiceName, handlers: object, deps: object): Map<string, Bound> =>
  new Map(
    operationsOf(service).flatMap((operation) => {
      if (isShellOperation(operation.name)) return [];
      const handler = (handlers as Record<string, AnyHandler>)[camel(operation.name)];
      if (handler === undefined) throw new Error(`${service} has no handler for ${operation.name}`);
      const run = (ctx: Ctx, input: Record<string, unknown>) => handler(ctx, input as never, deps as never);
      return [[operation.name, { operation, run }]];
    }),
  );

/** Binds the operation that reports a service's sweeps; the gateway has none on the bus. */
export const bindJobOperation = (service: ServiceName, jobs: Pick<Jobs, 'report'>): Map<string, Bound> => {
  const operation = operationByName(`${service}_jobs`);
  return new Map(operation === undefined ? [] : [[operation.name, { operation, run: () => jobs.report() }]]);
};

/** Runs one operation in this process, under its command if it is a write. Throws AppError; anything else is a bug. */
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
    if (value instanceof RecordedOutcome) return value.outcome;
    if (!(value instanceof Change)) return { value, status };
    // The command in the context belongs to the caller's write; an internal write is idempotent by an id of its own.
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
    return value instanceof RecordedOutcome ? value.outcome : { value, status };
  }
  return runWrite(shell, ctx, bound.operation.name, status, () => bound.run(ctx, input) as Promise<Change<unknown>>);
};

/**
 * The error that a caller sees: an AppError as it is, an unavailable database as unavailable, anything else as
 * internal.
 */
export const publicError = (
  error: unknown,
  log: Logger,
  operation: string,
): { body: ErrorBody; status: number | undefined } => {
  if (error instanceof AppError) {
    if (error.code === 'internal') log.error({ err: error, operation }, 'an operation failed');
    return { body: error.body(), status: error.status };
  }
  if (isDatabaseUnavailable(error)) {
    log.warn({ err: error, operation }, 'the database is unavailable');
    return {
      body: {
        code: 'unavailable',
        message: 'The database is unavailable. Retry in a moment; retry a write with the same Idempotency-Key.',
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
        'The service failed unexpectedly. Retry a write with the same Idempotency-Key. If you report it, quote the x-request-id.',
    },
    status: undefined,
  };
};

/**
 * Answers one request on the bus: decodes the frame, runs the operation and encodes the reply. Never throws, and never
 * replies after the deadline, whatever the operation waits for, so that its slot is free for another request.
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
    const ctx = withCommand(operation, fromWire(context, operation.effect), input);
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
 * Gives a write without an Idempotency-Key a command of its attempt, so that a second delivery of its frame is
 * replayed.
 */
const withCommand = (operation: OperationDeclaration, ctx: Ctx, input: Record<string, unknown>): Ctx =>
  operation.idempotency === undefined || ctx.command !== null
    ? ctx
    : { ...ctx, command: attemptCommand(ctx.attemptId, operation.name, input) };

/**
 * An internal write has no command, so its frame is accepted once, unless an id in its input makes a repeat harmless.
 */
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

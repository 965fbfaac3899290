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
import { type CallerKeys, decodeRequest, Encoded, encodeError, encodeOk } from '../bus/envelope.js';
import type { Frames } from '../bus/frames.js';
import type { Jobs } from '../clock/jobs.js';
import { attemptCommand } from '../commands/canonical.js';
import { Change } from '../commands/change.js';
import type { Outcome } from '../commands/commands.js';
import { commitChange, runWrite, type WriteShell } from '../commands/run-write.js';
import { isDatabaseUnavailable } from '../store/database-unavailable.js';
import { ofRequest } from '../telemetry/logged-request.js';
import { counterOf, histogramOf } from '../telemetry/metrics.js';
import { camel, RecordedOutcome } from './handler.js';

const answers = counterOf('cds_operations_total');
const durations = histogramOf('cds_operation_duration_seconds');

/** How a request ended, before it is encoded. */
type Answered =
  | { value: unknown; status: number }
  | Outcome
  | { ok: false; status: number | undefined; replayed: boolean; error: ErrorBody };

type AnyHandler = (ctx: Ctx, input: never, deps: never) => Promise<unknown>;

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

/** An AppError as it is, an unavailable database as unavailable, anything else as internal. */
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

/** Answers one request on the bus. Never throws, and frees its slot at the deadline whatever the operation awaits. */
export const answerRequest = async (
  me: ServiceName,
  from: CallerKeys,
  shell: WriteShell & { frames: Frames },
  bound: Bound,
  data: Uint8Array,
  log: Logger,
): Promise<Uint8Array> => {
  const { operation } = bound;
  const startedAt = performance.now();
  const failed = (error: unknown): Answered => {
    const { body, status } = publicError(error, log, operation.name);
    return { ok: false, status, replayed: false, error: body };
  };
  const received = (): { context: WireContext; input: Record<string, unknown>; ctx: Ctx } => {
    const { context, input } = decodeRequest(subjectOf(operation), data, me, from);
    if (!mayCall(context.iss, operation))
      throw new AppError('forbidden', `${context.iss} may not call ${operation.name}.`);
    return {
      context,
      input,
      ctx: withCommand(operation, fromWire(context, operation.effect, shell.store.time), input),
    };
  };
  const answer = async (): Promise<Answered> => {
    const { context, input, ctx } = received();
    return tracedFrom(ctx, operation.name, () =>
      ctx.deadline
        .run(async () => {
          await takeOnce(shell.frames, operation, ctx, context);
          return runOperation(shell, bound, ctx, input);
        })
        .catch(failed),
    );
  };

  const answered = await answer().catch(failed);
  noteAnswer(operation, answered, startedAt);
  return frame(answered);
};

/** Runs the work of a request in its caller's trace, so that what it logs names both. */
const tracedFrom = <T>(ctx: Ctx, name: string, work: () => Promise<T>): Promise<T> => {
  const { traceparent, requestId } = ctx;
  const active = otelContext.active();
  const parent = traceparent === '' ? active : propagation.extract(active, { traceparent });
  const traceId = trace.getSpanContext(parent)?.traceId ?? '';
  return otelContext.with(ofRequest(parent, { requestId, traceId }), () =>
    trace.getTracer('bus').startActiveSpan(name, { kind: SpanKind.SERVER }, async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    }),
  );
};

const noteAnswer = ({ name: operation }: OperationDeclaration, result: Answered, startedAt: number): void => {
  const { code, reason } = 'value' in result || result.ok ? OK : endOf(result.error);
  answers.add(1, { operation, code, reason });
  durations.record((performance.now() - startedAt) / 1_000, { operation });
};

const OK = { code: 'ok', reason: '' } as const;

const endOf = ({ code, details }: ErrorBody): { code: string; reason: string } => {
  const reason = details?.['reason'];
  return { code, reason: typeof reason === 'string' ? reason : '' };
};

/** Gives a write without a key a command of its attempt, so that a second delivery is replayed. */
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

const frame = (result: Answered): Uint8Array => {
  if ('value' in result) return encodeOk(result.value, result.status, false);
  if (result.ok) return encodeOk(new Encoded(result.json), result.status, result.replayed);
  return encodeError(result.error, result.status, result.replayed);
};

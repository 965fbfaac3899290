import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  type CalleeOf,
  type Input,
  type OperationName,
  type OperationNameOf,
  type Output,
  operationByName,
  type ServiceName,
  subjectOf,
  unavailable,
} from '@cds/contracts';
import { context as otelContext, propagation, SpanKind, trace } from '@opentelemetry/api';
import { MACHINE_TIME, type SharedTime } from '../deadline/deadline.js';
import { insideTransaction } from '../store/inside.js';
import { counterOf } from '../telemetry/metrics.js';
import { type Ctx, INTERNAL_CALL_MS, toWire } from './context.js';
import { decodeReply, encodeRequest, type PairKeys, parseBytes, type Reply } from './envelope.js';
import { NoReplyError, type RequestMux } from './mux.js';

export type Client<N extends OperationName> = { readonly [K in N]: (ctx: Ctx, input: Input<K>) => Promise<Output<K>> };

export type ClientOf<S extends ServiceName> = Client<OperationNameOf<CalleeOf<S>>>;

/** How long a request that reached no responder is retried, and the first pause between tries. */
const NO_RESPONDER_RETRY_MS = 3_000;
const FIRST_PAUSE_MS = 20;

/** How much sooner than the caller a replica may see that the time of a request is over. */
const DEADLINE_TOLERANCE_MS = 25;

const unanswered = counterOf('cds_bus_calls_unanswered_total');

/**
 * Calls to other services (docs/reliability.md#requests-between-services). The timeout is what remains of the deadline.
 * A request that reached no responder is retried for up to 3 s. A read without a reply, or whose replica ran out of
 * time, is sent once more; a write never is (the gateway's `askAgain` sends one again under its command, its
 * `untilAnswered` one that changes nothing when it is repeated).
 */
export class BusClient {
  private readonly tracer = trace.getTracer('bus');
  /** Prefix of this client's frame ids; a counter completes each, which is cheaper than a UUID per frame. */
  private readonly sender = randomUUID();
  private sent = 0;

  constructor(
    private readonly mux: RequestMux,
    private readonly me: ServiceName,
    /** The context keys of the services that this one may call. */
    private readonly to: PairKeys,
    private readonly time: SharedTime = MACHINE_TIME,
  ) {}

  /** The typed client: `client.unit_facts(ctx, { unit_ids })`. Throws the callee's errors as AppError. */
  typed<S extends ServiceName>(): ClientOf<S> {
    return new Proxy({} as ClientOf<S>, {
      get: (_target, name: string) => async (ctx: Ctx, input: unknown) => {
        const reply = await this.send(name as OperationName, ctx, input, INTERNAL_CALL_MS);
        if (!reply.ok)
          throw new AppError(
            reply.error.code,
            reply.error.message,
            reply.error.details,
            reply.status === undefined ? {} : { status: reply.status },
          );
        return parseBytes(reply.bytes);
      },
    });
  }

  /** Sends an operation and returns its reply with the value still encoded, as the gateway forwards it. */
  async send(name: OperationName, ctx: Ctx, input: unknown, limitMs: number): Promise<Reply> {
    if (insideTransaction())
      throw new Error(`${name} was called inside a transaction; call it before the transaction begins`);
    const operation = operationByName(name);
    if (operation === undefined) throw new Error(`${name} is not declared`);

    return this.tracer.startActiveSpan(`bus ${name}`, { kind: SpanKind.CLIENT }, async (span) => {
      try {
        return await this.exchange(operation, ctx, input, Math.min(limitMs, ctx.deadline.remainingMs()));
      } finally {
        span.end();
      }
    });
  }

  private nextFrame(): string {
    this.sent += 1;
    return `${this.sender}.${this.sent.toString(36)}`;
  }

  private async exchange(
    operation: { name: string; service: ServiceName; effect: 'read' | 'write' },
    ctx: Ctx,
    input: unknown,
    limitMs: number,
  ): Promise<Reply> {
    const key = this.to.get(operation.service);
    if (key === undefined) throw new Error(`${this.me} has no context key for ${operation.service}`);
    const subject = subjectOf(operation);
    const carrier: { traceparent?: string } = {};
    propagation.inject(otelContext.active(), carrier);
    const traced = carrier.traceparent === undefined ? ctx : { ...ctx, traceparent: carrier.traceparent };

    const started = performance.now();
    const left = () => limitMs - (performance.now() - started);
    let retries = operation.effect === 'read' ? 1 : 0;
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      // A read keeps half of its time for the second try: the first replica may be frozen or starting.
      const timeoutMs = retries > 0 ? left() / 2 : left();
      const sent = performance.now();
      try {
        const wire = toWire(traced, this.me, operation.service, this.nextFrame(), timeoutMs, this.time);
        const reply = decodeReply(
          await this.mux.request(operation.service, subject, encodeRequest(subject, wire, input, key), timeoutMs),
        );
        const ranOut = performance.now() - sent >= timeoutMs - DEADLINE_TOLERANCE_MS;
        if (retries === 0 || !ranOut || reply.ok || reply.error.code !== 'unavailable') return reply;
        retries -= 1;
      } catch (error) {
        if (!(error instanceof NoReplyError)) throw error;
        unanswered.add(1, { callee: operation.service, why: error.why });
        const waited = performance.now() - started;
        if (error.why === 'no_responder' && waited < Math.min(NO_RESPONDER_RETRY_MS, limitMs)) {
          await delay(pause);
          pause = Math.min(pause * 2, 320);
        } else if (error.why !== 'no_responder' && retries > 0 && left() > 0) {
          retries -= 1;
        } else {
          throw unavailable(
            'The service did not answer. Retry in a moment; retry a write with the same Idempotency-Key.',
            error.why === 'timeout' ? 2 : 1,
            error,
          );
        }
      }
    }
  }
}

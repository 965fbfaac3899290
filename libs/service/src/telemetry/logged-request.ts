import { type Context, context, createContextKey, isSpanContextValid, trace } from '@opentelemetry/api';

/** The request that work belongs to, as every log line of it says. */
type LoggedRequest = { requestId: string; traceId: string };

const REQUEST = createContextKey('the request of this work');

/** A context whose log lines name a request. `traceId` counts where no span says another. */
export const ofRequest = (of: Context, request: LoggedRequest): Context => of.setValue(REQUEST, request);

/** The ids that a log line carries: of the request, and of the trace and span that it was written in. */
export const loggedIds = (): Record<string, string> => {
  const request = context.active().getValue(REQUEST) as LoggedRequest | undefined;
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...(request === undefined ? {} : { request_id: request.requestId, trace_id: request.traceId }),
    ...(span === undefined || !isSpanContextValid(span) ? {} : { trace_id: span.traceId, span_id: span.spanId }),
  };
};

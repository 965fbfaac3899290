import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** What only a trace that is recorded needs: no span is begun, and nothing sent along, for any other. */
const isRecorded = (): boolean => trace.getActiveSpan()?.isRecording() === true;

/** Runs a statement on the database in a span of its own, as part of the trace that it belongs to. */
export const inStatementSpan = <T>(operation: string, collection: string, work: () => Promise<T>): Promise<T> => {
  if (!isRecorded()) return work();
  const attributes = { 'db.system.name': 'mongodb', 'db.operation.name': operation, 'db.collection.name': collection };
  const options = { kind: SpanKind.CLIENT, attributes };
  return trace.getTracer('store').startActiveSpan(`${operation} ${collection}`.trimEnd(), options, async (span) => {
    try {
      return await work();
    } catch (error) {
      // No text of an error: a document's values may be in it.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
};

/** The trace that an event belongs to, to be stored with it; undefined if nothing records it. */
export const traceOfEvent = (): string | undefined => {
  if (!isRecorded()) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
};

export const inEventSpan = <T>(event: string, traceparent: string | undefined, work: () => Promise<T>): Promise<T> => {
  if (traceparent === undefined || traceparent === '') return work();
  const parent = propagation.extract(context.active(), { traceparent });
  return context.with(parent, () =>
    trace.getTracer('events').startActiveSpan(`event ${event}`, { kind: SpanKind.CONSUMER }, async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    }),
  );
};

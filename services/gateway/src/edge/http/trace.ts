import { randomBytes } from 'node:crypto';

/** The W3C trace of a request; `received` when it came in a valid traceparent, otherwise it starts here. */
export type Trace = { traceparent: string; traceId: string; received: boolean };

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NONE = /^0+$/;

export const traceOf = (sent: readonly string[]): Trace => {
  const [only] = sent;
  const [whole, traceId, spanId] = (sent.length === 1 ? TRACEPARENT.exec(only ?? '') : null) ?? [];
  if (whole !== undefined && traceId !== undefined && spanId !== undefined && !NONE.test(traceId) && !NONE.test(spanId))
    return { traceparent: whole, traceId, received: true };

  const made = randomBytes(24).toString('hex');
  return { traceparent: `00-${made.slice(0, 32)}-${made.slice(32)}-00`, traceId: made.slice(0, 32), received: false };
};

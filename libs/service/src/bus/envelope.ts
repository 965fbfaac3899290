import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { AppError, type ErrorBody, type ServiceName, type WireContext } from '@cds/contracts';

/**
 * The frames of a request and its reply. They are lines instead of one JSON document, so that the signature covers the
 * exact bytes of context and input, and the gateway forwards an answer without parsing it (docs/performance.md#reads).
 *
 *   request:  signature LF context JSON LF input JSON
 *   reply:    `ok <status>[ replayed]` LF value JSON, or `error <status or 0>[ replayed]` LF error JSON
 *
 * The signature is HMAC-SHA-256 of subject LF context JSON LF input JSON. Neither a subject nor JSON holds a raw line
 * feed, so the signed bytes split in only one way.
 */
const LF = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Context keys of the callees, to sign with. Key objects, because Node prepares bytes again for every use. */
export type PairKeys = ReadonlyMap<ServiceName, KeyObject>;

/** The keys to verify callers with: one each, or several while it is replaced. */
export type CallerKeys = ReadonlyMap<ServiceName, KeyObject | readonly KeyObject[]>;

const SIGNATURE_CHARS = 43;
const UNSIGNED = ' '.repeat(SIGNATURE_CHARS);

const signatureOf = (key: KeyObject, subject: string, signed: Uint8Array): string =>
  createHmac('sha256', key).update(`${subject}\n`).update(signed).digest('base64url');

export const encodeRequest = (subject: string, context: WireContext, input: unknown, key: KeyObject): Uint8Array => {
  // Writes the signature into the frame in place, because copying a file chunk once more is measurable.
  const frame = Buffer.from(`${UNSIGNED}\n${JSON.stringify(context)}\n${JSON.stringify(input ?? {})}`);
  frame.write(signatureOf(key, subject, frame.subarray(SIGNATURE_CHARS + 1)), 'latin1');
  return frame;
};

/** Decodes a request. Throws forbidden if unsigned, or signed for another operation, recipient or input. */
export const decodeRequest = (
  subject: string,
  data: Uint8Array,
  me: ServiceName,
  from: CallerKeys,
): { context: WireContext; input: Record<string, unknown> } => {
  const end = data.indexOf(LF, SIGNATURE_CHARS + 1);
  if (data[SIGNATURE_CHARS] !== LF || end < 0) throw new AppError('forbidden', 'The message has no signed context.');

  const context = contextIn(data.subarray(SIGNATURE_CHARS + 1, end));
  const found = context?.aud === me ? from.get(context.iss) : undefined;
  const keys = found === undefined ? [] : [found].flat();
  if (context === undefined || !keys.some((key) => isSigned(key, subject, data)))
    throw new AppError('forbidden', 'The message is not signed for this service and operation.');

  return { context, input: JSON.parse(decoder.decode(data.subarray(end + 1))) as Record<string, unknown> };
};

/** The context in a frame, not yet verified; undefined if it is not JSON or null. */
const contextIn = (head: Uint8Array): WireContext | undefined => {
  try {
    return (JSON.parse(decoder.decode(head)) as WireContext | null) ?? undefined;
  } catch {
    return undefined;
  }
};

const isSigned = (key: KeyObject, subject: string, data: Uint8Array): boolean =>
  timingSafeEqual(
    data.subarray(0, SIGNATURE_CHARS),
    Buffer.from(signatureOf(key, subject, data.subarray(SIGNATURE_CHARS + 1)), 'latin1'),
  );

/** A value that is already JSON: a stored answer, or chunks of one, such as rows that were encoded before. */
export class Encoded {
  constructor(readonly written: Uint8Array | string | readonly Uint8Array[]) {}

  get json(): Uint8Array | string {
    const { written } = this;
    return typeof written === 'string' || written instanceof Uint8Array ? written : Buffer.concat(written);
  }
}

export type Reply =
  | { ok: true; status: number; replayed: boolean; bytes: Uint8Array }
  | { ok: false; status: number | undefined; replayed: boolean; error: ErrorBody };

export const encodeOk = (value: unknown, status: number, replayed: boolean): Uint8Array => {
  const head = `ok ${status}${replayed ? ' replayed' : ''}\n`;
  if (!(value instanceof Encoded)) return encoder.encode(head + JSON.stringify(value));
  const { written } = value;
  if (typeof written === 'string') return encoder.encode(head + written);

  // One buffer for the whole frame: copying a page once more is measurable.
  const chunks = written instanceof Uint8Array ? [written] : written;
  const frame = Buffer.allocUnsafe(chunks.reduce((sum, chunk) => sum + chunk.length, head.length));
  let at = frame.write(head, 'latin1');
  for (const chunk of chunks) {
    frame.set(chunk, at);
    at += chunk.length;
  }
  return frame;
};

export const encodeError = (error: ErrorBody, status?: number, replayed = false): Uint8Array =>
  encoder.encode(`error ${status ?? 0}${replayed ? ' replayed' : ''}\n${JSON.stringify(error)}`);

/** Decodes a reply. An empty or unknown frame is a bug in the responder and counts as internal. */
export const decodeReply = (data: Uint8Array): Reply => {
  const end = data.indexOf(LF);
  const [kind, status, mark] = end < 0 ? [] : decoder.decode(data.subarray(0, end)).split(' ');
  const body = data.subarray(end + 1);
  const replayed = mark === 'replayed';
  if (kind === 'ok') return { ok: true, status: Number(status), replayed, bytes: body };
  if (kind === 'error') {
    const error = JSON.parse(decoder.decode(body)) as ErrorBody;
    return { ok: false, status: Number(status) || undefined, replayed, error };
  }
  return {
    ok: false,
    status: undefined,
    replayed: false,
    error: { code: 'internal', message: 'The service sent a malformed reply.' },
  };
};

export const parseBytes = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes));

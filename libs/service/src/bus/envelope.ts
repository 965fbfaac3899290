import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { AppError, type ErrorBody, type ServiceName, type WireContext } from '@cds/contracts';

/**
 * The frames of a request and its reply. Lines instead of one JSON document, so that the signature covers the very
 * bytes of the context and a reader's answer is forwarded without being parsed again (performance 2).
 *
 *   request:  signature LF context JSON LF input JSON
 *   reply:    `ok <status>[ replayed]` LF value JSON, or `error <status or 0>` LF error JSON
 */
const LF = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export type CtxKeys = Readonly<Partial<Record<ServiceName, KeyObject>>>;

const sign = (key: KeyObject, context: string): string => createHmac('sha256', key).update(context).digest('base64url');

/** Frames a request, signed by its issuer. */
export const encodeRequest = (context: WireContext, input: unknown, key: KeyObject): Uint8Array => {
  const head = JSON.stringify(context);
  return encoder.encode(`${sign(key, head)}\n${head}\n${JSON.stringify(input ?? {})}`);
};

/** Opens a request for one addressee; anything unsigned, for someone else or malformed is refused. */
export const decodeRequest = (
  data: Uint8Array,
  me: ServiceName,
  keys: CtxKeys,
): { context: WireContext; input: Record<string, unknown> } => {
  const first = data.indexOf(LF);
  const second = data.indexOf(LF, first + 1);
  if (first < 0 || second < 0) throw new AppError('forbidden', 'The message carries no signed context.');

  const head = decoder.decode(data.subarray(first + 1, second));
  const context = JSON.parse(head) as WireContext;
  const key = keys[context.iss];
  const given = Buffer.from(decoder.decode(data.subarray(0, first)), 'base64url');
  const wanted = key === undefined ? undefined : createHmac('sha256', key).update(head).digest();
  if (wanted === undefined || given.length !== wanted.length || !timingSafeEqual(given, wanted) || context.aud !== me) {
    throw new AppError('forbidden', 'The context of this message is not signed for this service.');
  }

  return { context, input: JSON.parse(decoder.decode(data.subarray(second + 1))) as Record<string, unknown> };
};

/** A value that is JSON already: a stored answer, or the pieces of one, as rows encoded once. */
export class Encoded {
  constructor(readonly written: Uint8Array | string | readonly Uint8Array[]) {}

  get json(): Uint8Array | string {
    const { written } = this;
    return typeof written === 'string' || written instanceof Uint8Array ? written : Buffer.concat(written);
  }
}

export type Reply =
  | { ok: true; status: number; replayed: boolean; bytes: Uint8Array }
  | { ok: false; status: number | undefined; error: ErrorBody };

export const encodeOk = (value: unknown, status: number, replayed: boolean): Uint8Array => {
  const head = `ok ${status}${replayed ? ' replayed' : ''}\n`;
  if (!(value instanceof Encoded)) return encoder.encode(head + JSON.stringify(value));
  const { written } = value;
  if (typeof written === 'string') return encoder.encode(head + written);

  // One buffer for all of it: a page is large enough that each copy of it counts.
  const pieces = written instanceof Uint8Array ? [written] : written;
  const frame = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + piece.length, head.length));
  let at = frame.write(head, 'latin1');
  for (const piece of pieces) {
    frame.set(piece, at);
    at += piece.length;
  }
  return frame;
};

export const encodeError = (error: ErrorBody, status?: number): Uint8Array =>
  encoder.encode(`error ${status ?? 0}\n${JSON.stringify(error)}`);

/** Opens a reply; an empty or unknown frame is a bug of the responder and reads as internal. */
export const decodeReply = (data: Uint8Array): Reply => {
  const end = data.indexOf(LF);
  const [kind, status, mark] = end < 0 ? [] : decoder.decode(data.subarray(0, end)).split(' ');
  const body = data.subarray(end + 1);
  if (kind === 'ok') return { ok: true, status: Number(status), replayed: mark === 'replayed', bytes: body };
  if (kind === 'error')
    return { ok: false, status: Number(status) || undefined, error: JSON.parse(decoder.decode(body)) as ErrorBody };
  return {
    ok: false,
    status: undefined,
    error: { code: 'internal', message: 'The service answered nothing readable.' },
  };
};

export const parseBytes = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes));

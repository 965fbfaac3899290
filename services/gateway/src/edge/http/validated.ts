import { createHash } from 'node:crypto';
import type { Answer } from './answer.js';
import { type Exchange, headerValues } from './exchange.js';

/** A document that programs read, with its validator. */
export type File = { type: string; text: string; etag: string };

export const etagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

export const fileOf = (type: string, text: string): File => ({ type, text, etag: etagOf(text) });

/** Files for programs may be kept a while. */
const FILE_CACHE = { 'Cache-Control': 'public, max-age=300' };

/** An answer, or 304 when the client holds this one already (RFC 9110, 13.1.2). */
export const validated = (exchange: Exchange, answer: Answer, etag: string): Answer => {
  const held = headerValues(exchange.raw, 'if-none-match').flatMap((value) => value.split(','));
  const headers = { ...answer.headers, ETag: etag };
  const same = held.some((value) => value.trim().replace(/^W\//, '') === etag || value.trim() === '*');
  return same ? { ...answer, status: 304, headers, body: '' } : { ...answer, headers };
};

export const fileAnswer = (exchange: Exchange, { type, text, etag }: File): Answer =>
  validated(exchange, { status: 200, headers: { 'Content-Type': type, ...FILE_CACHE }, body: text, code: 'ok' }, etag);

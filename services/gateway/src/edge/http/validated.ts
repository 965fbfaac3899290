import type { File } from '@cds/pages';
import type { Answer } from './answer.js';
import { type Exchange, headerValues } from './exchange.js';

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

import { createHash } from 'node:crypto';
import type { Answer } from '../port.js';

/** A document that programs read, with its validator. */
export type File = { type: string; text: string; etag: string };

export const etagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

export const fileOf = (type: string, text: string): File => ({ type, text, etag: etagOf(text) });

const FILE_CACHE = { 'Cache-Control': 'public, max-age=300' };

export const fileAnswer = ({ type, text, etag }: File): Answer => ({
  status: 200,
  headers: { 'Content-Type': type, ...FILE_CACHE },
  body: text,
  code: 'ok',
  etag,
});

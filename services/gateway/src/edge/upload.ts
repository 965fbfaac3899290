import { createHash, randomUUID } from 'node:crypto';
import { AppError, badRequest, type OperationDeclaration, type UploadRef } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { Edge } from './edge.js';
import { isCsv, isJson, readBytes } from './http/body.js';
import { type Exchange, headerValues } from './http/exchange.js';

export type Upload = { bytes: Buffer; type: 'json' | 'csv'; sha256: string };

/** A chunk fits into the largest message of the bus even in base64 (docs/reliability.md#requests-between-services). */
const CHUNK_BYTES = 512 * 1024;

/** Reads the file that is an operation's body. Raises bad_request for a wrong type and for a file that is too large. */
export const readUpload = async (
  exchange: Exchange,
  { maxBytes, types }: NonNullable<OperationDeclaration['upload']>,
): Promise<Upload> => {
  const [contentType = '', ...more] = headerValues(exchange.raw, 'content-type');
  const type = isJson(contentType) ? 'json' : isCsv(contentType) ? 'csv' : null;
  const bytes = await readBytes(exchange.raw, maxBytes);
  if (type === null || more.length > 0 || !types.includes(type))
    throw badRequest([{ field: 'content-type', message: 'must be application/json in UTF-8, or text/csv' }]);
  if (bytes === null) throw badRequest([{ field: 'body', message: `must be at most ${maxBytes / 1024 / 1024} MiB` }]);
  if (bytes.length === 0) throw badRequest([{ field: 'body', message: 'must hold the file to import, and is empty' }]);
  return { bytes, type, sha256: createHash('sha256').update(bytes).digest('hex') };
};

export const sendUpload = async (edge: Edge, ctx: Ctx, { bytes, type }: Upload): Promise<UploadRef> => {
  const id = randomUUID();
  let chunks = 0;
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const data = bytes.subarray(at, at + CHUNK_BYTES).toString('base64');
    const reply = await edge.bus.send(
      'catalog_upload_chunk',
      { ...ctx, command: null },
      { upload_id: id, number: chunks, data },
      ctx.deadline.remainingMs(),
    );
    if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, reply.error.details);
    chunks += 1;
  }
  return { id, chunks, bytes: bytes.length, type };
};

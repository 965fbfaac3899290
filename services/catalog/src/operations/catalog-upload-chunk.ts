import type { WriteHandler } from '@cds/service';
import type { Uploads } from '../identity/uploads.js';

/** Sending a chunk again changes nothing. Source: docs/reliability.md#requests-between-services. */
export const catalogUploadChunk: WriteHandler<'catalog_upload_chunk', { uploads: Uploads }> = async (
  ctx,
  input,
  { uploads },
) => {
  await uploads.put(input.upload_id, input.number, Buffer.from(input.data, 'base64'), ctx.networkNow);
  return { kept: true };
};

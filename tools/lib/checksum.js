import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/**
 * @param {string} file
 * @returns {Promise<string>}
 */
export function sha256(file) {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256');
    createReadStream(file, { highWaterMark: 1024 * 1024 })
      .on('data', (chunk) => hash.update(chunk))
      .once('error', reject)
      .once('end', () => resolve(hash.digest('hex')));
  });
}

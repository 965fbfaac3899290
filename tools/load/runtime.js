import { readFileSync } from 'node:fs';
import { Failure } from '../lib/failure.js';

/**
 * The running system that a runtime.json describes.
 * @param {string} file
 * @returns {import('../load.js').System}
 */
export function runtimeAt(file) {
  try {
    const runtime = JSON.parse(readFileSync(file, 'utf8'));
    return {
      appUrl: runtime.app_url,
      apiUrl: runtime.api_url,
      mcpUrl: runtime.mcp_url,
      opsUrl: runtime.ops_url,
      opsToken: runtime.ops_token,
    };
  } catch (error) {
    throw new Failure(
      `${file} cannot be read as a runtime.json.`,
      ['npm start  (writes it to its home)'],
      [String(error instanceof Error ? error.message : error)],
    );
  }
}

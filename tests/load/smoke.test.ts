// @night: runs the load scripts, which no caller uses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { sharedStack } from '../support/stack.js';

const REPOSITORY = join(import.meta.dirname, '..', '..');
/** k6 may have to be built first. */
const LIMIT_MS = 600_000;

describe('npm run load -- smoke', () => {
  it(
    'calls every operation, and does the main job by REST and MCP, on a running system',
    async () => {
      const stack = await sharedStack();
      const runtime = join(stack.home, 'runtime-of-load.json');
      await writeFile(
        runtime,
        JSON.stringify({
          app_url: stack.appUrl,
          api_url: stack.apiUrl,
          mcp_url: stack.mcpUrl,
          ops_url: stack.opsUrl,
          ops_token: stack.opsToken,
        }),
      );
      const load = spawn(process.execPath, ['tools/load.ts', 'smoke', '--runtime', runtime], { cwd: REPOSITORY });
      const [output, problems, [code]] = await Promise.all([
        text(load.stdout),
        text(load.stderr),
        once(load, 'close') as Promise<[number | null]>,
      ]);
      expect({ code, said: code === 0 ? '' : `${output}${problems}` }).toEqual({ code: 0, said: '' });
      expect(output).toContain('answered otherwise: 0');
    },
    LIMIT_MS,
  );
});

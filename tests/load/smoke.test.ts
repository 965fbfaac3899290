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
      await writeFile(
        join(stack.home, 'runtime.json'),
        JSON.stringify({
          app_url: stack.appUrl,
          api_url: stack.apiUrl,
          mcp_url: stack.mcpUrl,
          ops_url: stack.opsUrl,
          ops_token: stack.opsToken,
          processes: {},
        }),
      );
      const load = spawn(process.execPath, ['tools/load.ts', 'smoke'], {
        cwd: REPOSITORY,
        env: { ...process.env, CDS_HOME: stack.home },
      });
      const [output, problems, [code]] = await Promise.all([
        text(load.stdout),
        text(load.stderr),
        once(load, 'close') as Promise<[number | null]>,
      ]);
      expect({ code, said: code === 0 ? '' : `${output}${problems}` }).toEqual({ code: 0, said: '' });
      expect(output).toContain('✓ answers as expected');
    },
    LIMIT_MS,
  );
});

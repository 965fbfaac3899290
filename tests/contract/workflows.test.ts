import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aBrand, ask, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 240_000;
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
const DAY_MS = 86_400_000;

/** The workflows that are published for agents, run by an independent program against the running system. */
describe('docs/arazzo.yaml', () => {
  let stack: SharedStack;
  let key: string;
  beforeAll(async () => {
    stack = await sharedStack();
    key = secretOf((await aBrand(stack)).sandbox, 'full');
  });

  const respect = async (inputs: Record<string, string>): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [
        'node_modules/@redocly/cli/bin/cli.js',
        'respect',
        'docs/arazzo.yaml',
        '--server',
        `cds=${stack.appUrl}`,
        ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
      ],
      {
        cwd: ROOT,
        // Under NODE_ENV test it prints nothing.
        env: { ...process.env, ...QUIET, NODE_ENV: 'production' },
        timeout: LIMIT_MS,
      },
    ).catch((error: { stdout?: string; stderr?: string; message: string }) => ({
      stdout: `${error.message}\n${error.stdout ?? ''}`,
      stderr: error.stderr ?? '',
    }));
    return `${stdout}\n${stderr}`;
  };

  const inputs = async (): Promise<Record<string, string>> => {
    const { now } = (await ask(stack, key, 'sandbox_clock', {})).body as { now: string };
    const day = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 10);
    return { key, run: randomUUID(), window_start: day(3), window_end: day(24) };
  };

  it(
    'the main job runs from coverage to results, and every answer fits its schema',
    async () => {
      const output = await respect(await inputs());
      expect(output).toMatch(/Workflows: 1 passed, 1 total/);
      expect(output).toMatch(/Steps: (\d+) passed, \1 total\n\s*Checks: (\d+) passed, \2 total/);
    },
    LIMIT_MS,
  );
});

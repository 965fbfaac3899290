import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolveEngine } from '../../tools/lib/engines.js';
import { REPOSITORY } from '../../tools/lib/home.js';

/** k6 may have to be built first. */
const LIMIT_MS = 600_000;

describe('a run of load', () => {
  let folder: string;
  let fixture: string;
  let k6: string;
  beforeAll(async () => {
    k6 = (await resolveEngine('k6', { say: () => {}, note: () => {}, external: false })).binary ?? '';
    folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'load-'));
    fixture = join(folder, 'fixture.json');
    const url = 'http://127.0.0.1:9';
    writeFileSync(
      fixture,
      JSON.stringify({ app_url: url, api_url: url, mcp_url: url, readers: ['reader'], agents: ['agent'] }),
    );
  }, LIMIT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['smoke', 'main-job', 'browse', 'soak'].flatMap((run) => [1, 10, 101].map((rate) => [run, rate] as const)))(
    '%s is one that k6 takes at a rate of %i',
    async (run, rate) => {
      const env = {
        ...process.env,
        CDS_LOAD_FIXTURE: fixture,
        CDS_LOAD_RUN: run,
        CDS_LOAD_RATE: String(rate),
        CDS_LOAD_SECONDS: '5',
      };
      const args = ['inspect', '--include-system-env-vars', join(REPOSITORY, 'loadtest', 'k6', 'main.ts')];
      const { stdout } = await promisify(execFile)(k6, args, { env });
      expect(JSON.parse(stdout)).toHaveProperty('scenarios');
    },
  );
});

// @night: ten thousand cases from outside, where `fuzz` draws by day.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refilling } from '../support/refilling.js';
import { type SharedStack, sharedStack } from '../support/stack.js';
import { aFuzzBrand } from './world.js';

const ROOT = join(import.meta.dirname, '../..');
const OPENAPI = join(ROOT, 'libs/contracts/generated/openapi.json');

/** The program, which `npm run test:schemathesis` installs; without it the suite is skipped. */
const PROGRAM = process.env['CDS_SCHEMATHESIS'] ?? '';
const SEED = process.env['CDS_SCHEMATHESIS_SEED'] ?? '1';
const CASES = Number(process.env['CDS_SCHEMATHESIS_CASES'] ?? 10_000);
const MINUTES = 20;

/** Eight brands with five keys each, one whose clock moves and one that is reset: fifty keys. */
const BRANDS = 10;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
];
/** Cases of an operation on top of those from the examples and the bounds of its fields. */
const perOperation = (cases: number): number => Math.max(5, Math.ceil(cases / 50));

(PROGRAM === '' ? describe.skip : describe)('Schemathesis', () => {
  let stack: SharedStack;
  let world: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    stack = await sharedStack();
    const brands = [];
    for (let count = 0; count < BRANDS; count += 1) brands.push(await aFuzzBrand(stack));
    stop = await refilling(
      stack,
      brands.flatMap(({ workspaces }) => Object.values(workspaces)),
    );
    const folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'schemathesis-'));
    world = join(folder, 'world.json');
    writeFileSync(world, JSON.stringify(brands));
  }, 240_000);
  afterAll(() => stop?.());

  it(
    'finds no server error, no undocumented status, header or media type, and no answer that breaks its schema',
    async () => {
      const run = promisify(execFile)(
        PROGRAM,
        [
          ...['run', OPENAPI, '--url', stack.appUrl, '--checks', CHECKS.join(',')],
          ...['--max-examples', String(perOperation(CASES)), '--seed', SEED, '--phases', 'examples,coverage,fuzzing'],
          ...['--workers', '1', '--no-color', '--continue-on-failure', '--warnings', 'off', '--request-timeout', '30'],
        ],
        {
          cwd: join(world, '..'),
          env: {
            ...process.env,
            SCHEMATHESIS_HOOKS: join(ROOT, 'tests/fuzz/hooks.py'),
            CDS_SCHEMATHESIS_WORLD: world,
            PYTHONDONTWRITEBYTECODE: '1',
          },
          timeout: MINUTES * 60_000,
          maxBuffer: 64 * 1_024 * 1_024,
        },
      );
      const output = await run.then(
        ({ stdout }) => stdout,
        (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
      );
      const summary = output.slice(output.lastIndexOf('= SUMMARY ='));
      process.stdout.write(`seed ${SEED} ${/\d+ generated[^\n]*/.exec(summary)?.[0] ?? ''}\n`);
      expect(output).toMatch(/No issues found|\d+ generated, \d+ passed/);
      expect(output).not.toMatch(/FAILURES|ERRORS/);
      const generated = Number(/(\d+) generated/.exec(summary)?.[1]);
      expect(generated).toBeGreaterThanOrEqual(CASES);
    },
    (MINUTES + 1) * 60_000,
  );
});

// @night: stops and breaks engines one after the other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Facts, findingsOf, type Level } from '../../tools/doctor/findings.js';
import { REPOSITORY } from '../../tools/lib/home.js';
import { type Stack, startWholeStack } from '../support/stack.js';

const GB = 1e9;
const WELL: Facts = {
  memoryBytes: 16 * GB,
  home: {
    path: '.cds',
    exists: true,
    isFolder: true,
    isOurs: true,
    isWritable: true,
    mode: 0o700,
    open: [],
    freeBytes: 50 * GB,
    hasData: true,
    secrets: 'read',
  },
  system: {
    url: 'http://localhost:8080',
    isLaunched: true,
    dead: [],
    checks: [{ name: 'database', ok: true, problem: null, mend: null }],
  },
};
const home = (over: Partial<Facts['home']>): Partial<Facts> => ({ home: { ...WELL.home, ...over } });
const system = (over: Partial<NonNullable<Facts['system']>>): Partial<Facts> => ({
  system: { url: 'http://localhost:8080', isLaunched: true, dead: [], checks: [], ...over },
});

describe('what the doctor finds', () => {
  it('finds nothing where all is well', () => {
    expect(findingsOf(WELL).filter(({ level }) => level !== 'well')).toEqual([]);
  });

  // What the runs below do not meet; they read the words of the rest.
  it.each<[string, Partial<Facts>, Level, string]>([
    ['little memory', { memoryBytes: 1.9 * GB }, 'look', 'Memory'],
    ['a home that is a file', home({ isFolder: false }), 'stops', 'Home'],
    ['a home that cannot be made', home({ exists: false, isWritable: false }), 'stops', 'Home'],
    ["another user's home", home({ isOurs: false }), 'stops', 'Home'],
    ['a home that cannot be written', home({ isWritable: false }), 'stops', 'Home'],
    ['a home that others may enter', home({ mode: 0o755 }), 'look', 'Home'],
    ['a disk that fills', home({ freeBytes: 4.9 * GB }), 'look', 'Disk'],
    ['a full disk', home({ freeBytes: 0.4 * GB }), 'stops', 'Disk'],
    ['data without their secrets', home({ secrets: 'absent' }), 'look', 'Keys'],
    ['neither data nor secrets', home({ hasData: false, secrets: 'absent' }), 'well', 'Keys'],
    ['half a file of secrets', home({ secrets: 'unreadable' }), 'look', 'Keys'],
    ['a gateway whose database is away', system({ checks: 503 }), 'stops', 'System'],
    ['a token that is refused', system({ checks: 401 }), 'stops', 'System'],
    ['what a killed launcher left', system({ isLaunched: false }), 'look', 'System'],
  ])('reports %s at the level that fits, with a remedy unless all is well', (_what, over, level, subject) => {
    const found = findingsOf({ ...WELL, ...over });
    expect(found.filter((one) => one.subject === subject).map((one) => one.level)).toContain(level);
    for (const one of found)
      expect([one.subject, one.help.length > 0]).toEqual([one.subject, ['look', 'stops'].includes(one.level)]);
  });
});

describe('npm run doctor', () => {
  const folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? '', 'doctor-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs it with this home, and answers its exit code and what it says. */
  const asked = async (
    own: string,
    repository = REPOSITORY,
    options: readonly string[] = [],
  ): Promise<{ code: number | null; text: string }> => {
    const child = spawn(process.execPath, ['tools/doctor.ts', ...options], {
      cwd: repository,
      env: { PATH: process.env['PATH'] ?? '', CDS_HOME: own },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  };

  it('needs nothing but Node, and finds nothing against a first start on this machine', async () => {
    const bare = join(folder, 'bare');
    cpSync(join(REPOSITORY, 'tools'), join(bare, 'tools'), { recursive: true });
    cpSync(join(REPOSITORY, 'package.json'), join(bare, 'package.json'));
    const { code, text } = await asked(join(folder, 'home'), bare);
    expect(text).toContain('Nothing stops the system.');
    expect(code).toBe(0);
  });

  it('names an option that is wrong, and shows its usage', async () => {
    expect(await asked('', REPOSITORY, ['--help'])).toMatchObject({ code: 0, text: expect.stringMatching(/^usage:/) });
    expect(await asked('', REPOSITORY, ['--fast'])).toMatchObject({
      code: 1,
      text: expect.stringContaining("Unknown option '--fast'."),
    });
  });

  it('says that others may read the secrets', async () => {
    const own = join(folder, 'open');
    mkdirSync(own);
    writeFileSync(join(own, 'secrets.json'), JSON.stringify({ master: 'c2hvcnQ=' }));
    chmodSync(join(own, 'secrets.json'), 0o644);
    const { code, text } = await asked(own);
    expect(text).toMatch(/! Secrets +others may read secrets\.json\n +1\. chmod 600/);
    expect(text).not.toContain('c2hvcnQ=');
    expect(code).toBe(0);
  });

  describe('on a running system', () => {
    let stack: Stack;
    beforeAll(async () => {
      stack = await startWholeStack({ creators: 0 });
      const pids = Object.entries(stack.services).map(([name, list]) => [name, list.map(({ pid }) => pid)]);
      writeFileSync(
        join(stack.home, 'runtime.json'),
        JSON.stringify({
          app_url: stack.appUrl,
          ops_url: stack.opsUrl,
          ops_token: stack.opsToken,
          processes: { launcher: process.pid, mongod: null, nats: stack.nats.pid, ...Object.fromEntries(pids) },
        }),
        { mode: 0o600 },
      );
    }, 120_000);
    afterAll(() => stack?.stop());

    it('finds it well, and names a service that is killed', async () => {
      const well = await asked(stack.home);
      expect(well.text).toMatch(/✓ System +runs at http:.*, and all its parts answer/);
      expect(well.text).not.toContain(stack.opsToken);
      expect(well.code).toBe(0);

      await stack.kill('proposals');
      const hurt = await asked(stack.home);
      expect(hurt.text).toMatch(
        /✗ proposals +its process has ended\n +1\. Read the last lines of logs\/proposals\.log/,
      );
      expect(hurt.text).toMatch(/✗ proposals +it answers unavailable|✗ proposals +it did not answer/);
      expect(hurt.code).toBe(1);
    }, 60_000);
  });
});

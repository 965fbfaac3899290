// @night: stops and breaks engines one after the other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasAvx } from '../../tools/doctor/avx.js';
import { type Facts, findingsOf, type Level } from '../../tools/doctor/findings.js';
import { REPOSITORY } from '../../tools/lib/home.js';
import { type Stack, startWholeStack } from '../support/stack.js';

const GB = 1e9;
const MEMBER = {
  host: 'db1:27017',
  version: '8.0.4',
  set: 'cds',
  awaitsInitiation: false,
  role: 'primary',
  offsetMs: 0,
} as const;
const SERVER = { host: 'bus1:4222', version: '2.12.1', jetstream: true };

const WELL: Facts = {
  node: '24.9.0',
  machine: { platform: 'linux', arch: 'x64', avx: true, memoryBytes: 16 * GB },
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
  },
  mongod: { version: '8.0.4', origin: 'PATH' },
  nats: { version: '2.12.1', origin: 'PATH' },
  dependencies: null,
  port: { wanted: '8080', number: 8080, owner: null, isOurs: false },
  secrets: { state: 'read', keys: [{ name: 'master', bytes: 32 }], repeated: [] },
  database: [MEMBER],
  bus: [SERVER],
  system: {
    url: 'http://localhost:8080',
    isLaunched: true,
    dead: [],
    checks: [{ name: 'database', ok: true, problem: null, mend: null }],
  },
};
const home = (over: Partial<Facts['home']>): Partial<Facts> => ({ home: { ...WELL.home, ...over } });
const machine = (over: Partial<Facts['machine']>): Partial<Facts> => ({ machine: { ...WELL.machine, ...over } });
const system = (over: Partial<NonNullable<Facts['system']>>): Partial<Facts> => ({
  system: { url: 'http://localhost:8080', isLaunched: true, dead: [], checks: [], ...over },
});
const none = (fetchable: boolean) => ({ reasons: [], fetchable });
const ELSEWHERE = { uri: 'MONGODB_URI' };
const AWAY = { host: 'db3:27017', error: 'timeout' };

describe('what the doctor finds', () => {
  it('finds nothing where all is well', () => {
    expect(findingsOf(WELL).filter(({ level }) => level !== 'well')).toEqual([]);
  });

  // What the runs below do not meet; they read the words of the rest.
  it.each<[string, Partial<Facts>, Level, string]>([
    ['an old Node', { node: '22.11.9' }, 'look', 'Node'],
    ['a Node that Jest does not work on', { node: '22.12.0' }, 'well', 'Node'],
    ['no AVX', machine({ avx: false }), 'stops', 'Processor'],
    ['no AVX beside a MongoDB elsewhere', { ...machine({ avx: false }), mongod: ELSEWHERE }, 'well', 'Processor'],
    ['a processor that does not say', machine({ avx: null }), 'well', 'Processor'],
    ['little memory', machine({ memoryBytes: 1.9 * GB }), 'look', 'Memory'],
    ['a home that is a file', home({ isFolder: false }), 'stops', 'Home'],
    ['a home that cannot be made', home({ exists: false, isWritable: false }), 'stops', 'Home'],
    ["another user's home", home({ isOurs: false }), 'stops', 'Home'],
    ['a home that cannot be written', home({ isWritable: false }), 'stops', 'Home'],
    ['a home that others may enter', home({ mode: 0o755 }), 'look', 'Home'],
    ['a disk that fills', home({ freeBytes: 4.9 * GB }), 'look', 'Disk'],
    ['a full disk', home({ freeBytes: 0.4 * GB }), 'stops', 'Disk'],
    ['data without their secrets', { secrets: { state: 'absent' } }, 'look', 'Keys'],
    ['neither data nor secrets', { ...home({ hasData: false }), secrets: { state: 'absent' } }, 'well', 'Keys'],
    ['half a file of secrets', { secrets: { state: 'unreadable' } }, 'look', 'Keys'],
    ['no mongod, and a way to fetch one', { mongod: none(true) }, 'look', 'mongod'],
    ['no mongod, and no way', { mongod: none(false) }, 'stops', 'mongod'],
    ['no nats-server', { nats: none(false) }, 'stops', 'nats-server'],
    ['a port that is none', { port: { ...WELL.port, wanted: 'http', number: null } }, 'stops', 'Port'],
    ["the system's own port", { port: { ...WELL.port, owner: 'node (pid 7)', isOurs: true } }, 'well', 'Port'],
    ['an old MongoDB', { database: [{ ...MEMBER, version: '5.0.30' }] }, 'stops', 'MongoDB'],
    ['a set without a primary', { database: [{ ...MEMBER, role: 'secondary' }] }, 'stops', 'MongoDB'],
    ['one member of three away', { database: [MEMBER, { ...MEMBER, role: 'secondary' }, AWAY] }, 'look', 'MongoDB'],
    ['two members of three away', { database: [{ ...MEMBER, role: 'secondary' }, AWAY, AWAY] }, 'stops', 'MongoDB'],
    ['a clock that is behind', { database: [{ ...MEMBER, offsetMs: -1_500 }] }, 'look', 'Clock'],
    ['a MongoDB without a replica set', { database: [{ ...MEMBER, set: null }] }, 'stops', 'MongoDB'],
    [
      'a set that was not initiated',
      { database: [{ ...MEMBER, set: null, awaitsInitiation: true }] },
      'stops',
      'MongoDB',
    ],
    ['a MongoDB that does not answer', { database: [AWAY] }, 'stops', 'MongoDB'],
    ['an old nats-server', { bus: [{ ...SERVER, version: '2.9.9' }] }, 'stops', 'NATS'],
    ['a bus that does not answer', { bus: [AWAY] }, 'stops', 'NATS'],
    ['a bus without JetStream', { bus: [{ ...SERVER, jetstream: false }] }, 'stops', 'NATS'],
    ['a gateway whose database is away', system({ checks: { status: 503 } }), 'stops', 'System'],
    ['what a killed launcher left', system({ isLaunched: false }), 'look', 'System'],
    ['a token that is refused', system({ checks: { status: 401 } }), 'stops', 'System'],
  ])('reports %s at the level that fits, with a remedy unless all is well', (_what, over, level, subject) => {
    const found = findingsOf({ ...WELL, ...over });
    expect(found.filter((one) => one.subject === subject).map((one) => one.level)).toContain(level);
    for (const one of found)
      expect([one.subject, one.mend.length > 0]).toEqual([one.subject, ['look', 'stops'].includes(one.level)]);
  });

  it.each([
    ['flags\t\t: fpu vme avx avx2 bmi1', true],
    ['flags\t\t: fpu vme sse4_2', false],
    ['flags: FPU AVX1.0 SSE4.2', true],
    ['Features\t: fp asimd', null],
  ])('reads from "%s" whether there is AVX', (text, avx) => {
    expect(hasAvx(text)).toBe(avx);
  });
});

describe('npm run doctor', () => {
  const folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? '', 'doctor-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs it with these variables, and answers its exit code and what it says. */
  const asked = async (
    env: Record<string, string>,
    repository = REPOSITORY,
    options: readonly string[] = [],
  ): Promise<{ code: number | null; text: string }> => {
    const child = spawn(process.execPath, ['tools/doctor.ts', ...options], {
      cwd: repository,
      env: { PATH: process.env['PATH'] ?? '', CDS_PORT: '0', CDS_HOME: join(folder, 'home'), ...engines, ...env },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  };
  const engines = {
    CDS_MONGOD_BIN: process.env['CDS_TEST_MONGOD_BIN'] ?? '',
    CDS_NATS_SERVER_BIN: process.env['CDS_TEST_NATS_BIN'] ?? '',
  };

  it('finds nothing against a first start on this machine', async () => {
    const { code, text } = await asked({});
    expect(text).toContain('Nothing stops the system.');
    expect(code).toBe(0);
  });

  it('needs nothing but Node', async () => {
    const bare = join(folder, 'bare');
    cpSync(join(REPOSITORY, 'tools'), join(bare, 'tools'), { recursive: true });
    for (const name of ['package.json', 'package-lock.json', 'libs/contracts/src/engines.json'])
      cpSync(join(REPOSITORY, name), join(bare, name));
    const { code, text } = await asked({ MONGODB_URI: 'mongodb://127.0.0.1:1/?replicaSet=cds' }, bare);
    expect(text).toMatch(/! Packages +nothing is installed yet; npm start installs them/);
    expect(text).toMatch(/· MongoDB +not asked: its driver is one of the packages/);
    expect(code).toBe(0);
  });

  it('names an option that is wrong, and shows its usage', async () => {
    expect(await asked({}, REPOSITORY, ['--help'])).toMatchObject({ code: 0, text: expect.stringMatching(/^usage:/) });
    expect(await asked({}, REPOSITORY, ['--fast'])).toMatchObject({
      code: 1,
      text: expect.stringContaining("Unknown option '--fast'."),
    });
  });

  it('says who has the port, and that others may read the secrets', async () => {
    const squatter: Server = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as { port: number };
    const own = join(folder, 'open');
    mkdirSync(own);
    writeFileSync(join(own, 'secrets.json'), JSON.stringify({ master: 'c2hvcnQ=', pay_form_key: 'c2hvcnQ=' }));
    chmodSync(join(own, 'secrets.json'), 0o644);
    const { code, text } = await asked({ CDS_HOME: own, CDS_PORT: String(port) });
    squatter.close();
    expect(text).toMatch(new RegExp(`! Port +${port} is in use by .*\\(pid ${process.pid}\\)`));
    expect(text).toMatch(/! Secrets +others may read secrets\.json\n +1\. chmod 600/);
    expect(text).toMatch(/! Keys +shorter than 32 bytes: master, pay_form_key/);
    expect(text).toMatch(/! Keys +the same key serves for several things: master, pay_form_key/);
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
          mongodb_uri: stack.mongodbUri,
          nats_url: stack.natsUrl,
          processes: { launcher: process.pid, mongod: null, nats: stack.nats.pid, ...Object.fromEntries(pids) },
        }),
        { mode: 0o600 },
      );
    }, 120_000);
    afterAll(() => stack?.stop());

    it('finds it well, and names a service that is killed', async () => {
      const well = await asked({ CDS_HOME: stack.home });
      expect(well.text).toMatch(/✓ System +runs at http:.*, and all its parts answer/);
      expect(well.text).toMatch(/✓ NATS +\d+\.\d+\.\d+ with JetStream/);
      expect(well.text).not.toContain(stack.opsToken);
      expect(well.code).toBe(0);

      await stack.kill('proposals');
      const hurt = await asked({ CDS_HOME: stack.home });
      expect(hurt.text).toMatch(
        /✗ proposals +its process has ended\n +1\. Read the last lines of logs\/proposals\.log/,
      );
      expect(hurt.text).toMatch(/✗ proposals +it answers unavailable|✗ proposals +it did not answer/);
      expect(hurt.code).toBe(1);
    }, 60_000);
  });
});

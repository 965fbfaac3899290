import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHome, REPOSITORY } from '../../tools/lib/home.js';
import { freePort } from '../../tools/lib/ports.js';
import { openSecrets } from '../../tools/lib/secrets.js';
import { environmentOf, loadContracts } from '../../tools/lib/service-environment.js';
import { dropPrefixed, ensureServiceUsers, startNats } from '../../tools/lib/stack.js';
import { contextIn, follow, instructionsOf, link, type Stage, sentBy } from './dockerfile.js';

const DOCKERFILE = join(REPOSITORY, 'Dockerfile');
const MINUTES = 60_000;
const NOBODY = 65_532;

/** The packages of the repository with the tests' own, as `npm ci` would install them. */
const installed = (cwd: string): void => {
  const rooms = ['libs', 'services'].flatMap((room) => readdirSync(join(cwd, room)).map((name) => join(room, name)));
  for (const place of ['.', ...rooms]) {
    const from = join(REPOSITORY, place, 'node_modules');
    if (!existsSync(from)) continue;
    const to = join(cwd, place, 'node_modules');
    mkdirSync(to, { recursive: true });
    link(from, to);
  }
  // npm writes this one when it prunes, and the repository's must not change with it.
  const list = join('node_modules', '.package-lock.json');
  rmSync(join(cwd, list));
  cpSync(join(REPOSITORY, list), join(cwd, list));
};

/** The compiled sources of the repository, as the compiler would make them: compiling them again takes a minute. */
const compiled = (cwd: string): void => {
  for (const room of ['libs', 'services'])
    for (const name of readdirSync(join(cwd, room))) {
      const dist = join(room, name, 'dist');
      mkdirSync(join(cwd, dist));
      link(join(REPOSITORY, dist), join(cwd, dist));
      // Bundles are made from these, and writing one must not change the repository's.
      rmSync(join(cwd, dist, 'bundle'), { recursive: true, force: true });
    }
};

/** Every file below a folder, except those of packages. */
const filesOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.includes('node_modules/'));

describe('the image', () => {
  let folder: string;
  let image: Stage;
  let app: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cds-image-'));
    chmodSync(folder, 0o755);
    const context = join(folder, 'context');
    const to = join(folder, 'stages');
    mkdirSync(context);
    mkdirSync(to);
    contextIn(context);
    image = follow(DOCKERFILE, {
      context,
      to,
      base: (name, root) => {
        mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
        if (name.startsWith('node:')) cpSync(process.execPath, join(root, 'usr/local/bin/node'));
      },
      replaced: { 'npm ci': installed, 'node node_modules/typescript/bin/tsc': compiled },
    });
    app = join(image.root, image.workdir);
  }, 5 * MINUTES);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is made from bases with a tag, and the last one has no shell and no package manager', () => {
    const bases = instructionsOf(readFileSync(DOCKERFILE, 'utf8'))
      .filter(({ name }) => name === 'ARG')
      .map(({ rest }) => rest.split('=')[1]);
    for (const base of bases) expect(base).toMatch(/:(?!latest$)[\w.-]+$/);
    expect(image.base).toMatch(/^gcr\.io\/distroless\/cc-/);
  });

  it.each([
    ['package.json', true],
    ['services/gateway/src/main.ts', true],
    ['docs/guides/first-plan.md', true],
    ['packages/sdk/package.json', true],
    ['packages/sdk/src/index.ts', false],
    ['deploy/compose/secrets/gateway.env', false],
    ['.cds/secrets.json', false],
    ['services/gateway/.env', false],
    ['libs/service/node_modules/zod/index.js', false],
    ['tools/dist/image.js', false],
    ['tools/mongodb.key', false],
  ])('is built from a context in which being there is, of %s, %s', (path, there) => {
    expect(sentBy(readFileSync(join(REPOSITORY, '.dockerignore'), 'utf8'))(path)).toBe(there);
  });

  it('runs as a numbered user who is not root, with the Node that built it', () => {
    expect(image).toMatchObject({ user: '65532:65532', entrypoint: ['node'], workdir: '/app' });
    expect(existsSync(join(image.root, 'usr/local/bin/node'))).toBe(true);
  });

  it('copies every package of the workspace before the install', () => {
    const { workspaces } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      workspaces: string[];
    };
    const packages = workspaces.flatMap((pattern) =>
      pattern.endsWith('/*')
        ? readdirSync(join(REPOSITORY, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -1)}${name}`)
        : [pattern],
    );
    const text = readFileSync(DOCKERFILE, 'utf8');
    for (const one of packages) expect(text).toContain(`COPY ${one}/package.json ${one}/\n`);
  });

  it('holds a bundle of each process, and neither sources nor tests', () => {
    const files = filesOf(app);
    const processes = readdirSync(join(REPOSITORY, 'services'));
    for (const name of processes) expect(files).toContain(`services/${name}/dist/bundle/main.js`);
    expect(files.filter((path) => /\.ts$|\.test\.|\/src\/|tsbuildinfo|\.env$|\/dist\/test/.test(path))).toEqual([]);
  });

  it('holds production packages only', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    // Packages in use bring types of their own.
    const left = Object.keys(devDependencies).filter(
      (name) => !name.startsWith('@types/') && existsSync(join(app, 'node_modules', name)),
    );
    expect(left).toEqual([]);
    expect(existsSync(join(app, 'node_modules', 'fastify'))).toBe(true);
  });

  it('lists its packages', () => {
    const list = JSON.parse(readFileSync(join(app, 'sbom.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string }[];
    };
    const names = new Set(list.components.map(({ name }) => name));
    expect(list.bomFormat).toBe('CycloneDX');
    expect(names.has('fastify')).toBe(true);
    expect(names.has('jest')).toBe(false);
  });

  describe('on real engines', () => {
    const mongodb = process.env['CDS_TEST_MONGODB_URI'] ?? '';
    const prefix = `image${process.pid}_`;
    const started: ChildProcess[] = [];
    let end: () => Promise<void>;
    let ready: (name: string, httpPort?: number) => Promise<string>;

    beforeAll(async () => {
      const home = openHome(mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'image-')));
      // It makes the passwords of its users, which are read after.
      const nats = await startNats({ home, binary: process.env['CDS_TEST_NATS_BIN'] ?? '' });
      const secrets = openSecrets(home);
      const contracts = await loadContracts();
      const database = { uri: mongodb, services: contracts.services, prefix };
      await ensureServiceUsers({ ...database, password: secrets.servicePassword });
      const audit = join(image.root, 'var/lib/cds/audit');
      // As the image's user, who may write only in its volume; root could write anywhere.
      const root = process.getuid?.() === 0;
      if (root) execFileSync('chown', [`${NOBODY}:${NOBODY}`, audit]);

      const run = (name: string, env: Record<string, string>, args: string[] = []): ChildProcess => {
        const entry = `services/${name}/dist/bundle/main.js`;
        const child = spawn(join(image.root, 'usr/local/bin/node'), [entry, ...args], {
          cwd: app,
          env: { ...env, NODE_ENV: 'production', PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/' },
          stdio: ['ignore', 'pipe', 'pipe'],
          ...(root && { uid: NOBODY, gid: NOBODY }),
        });
        started.push(child);
        return child;
      };
      ready = async (name, httpPort) => {
        const opsPort = await freePort();
        const env = environmentOf(name, {
          home,
          contracts,
          secrets,
          prefix,
          opsPort,
          httpPort,
          databases: mongodb,
          environment: 'production',
          bus: (user) => ({ url: nats.url, user, password: secrets.servicePassword(`nats_${user}`) }),
          appUrl: (port) => `http://localhost:${port}`,
          env: { CDS_LOG_LEVEL: 'warn', ...(name !== 'bus-admin' && { CDS_AUDIT_DIR: audit }) },
        });
        if (name !== 'bus-admin') {
          const migration = run(name, env, ['migrate']);
          expect(await once(migration, 'exit')).toEqual([0, null]);
        }
        const child = run(name, env);
        let said = '';
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (said += data));
        for (const limit = performance.now() + MINUTES; ; await delay(100)) {
          const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`).catch(() => undefined);
          if (answer?.status === 200) return `http://127.0.0.1:${httpPort}`;
          if (child.exitCode !== null || performance.now() > limit) throw new Error(`${name} is not ready:\n${said}`);
        }
      };
      end = async () => {
        for (const child of started.filter((one) => one.exitCode === null)) {
          child.kill('SIGTERM');
          expect(await once(child, 'exit')).toEqual([0, null]);
        }
        await nats.stop();
        await dropPrefixed(database);
        rmSync(home.root, { recursive: true, force: true });
      };
    }, MINUTES);
    afterAll(() => end?.(), MINUTES);

    it(
      'migrates and serves, as a user who may write only its volume',
      async () => {
        await ready('bus-admin');
        const url = await ready('gateway', await freePort());
        const paths = ['/openapi.json', '/docs/guides/first-plan', '/changelog.json'];
        const statuses = await Promise.all(paths.map(async (path) => (await fetch(`${url}${path}`)).status));
        expect(statuses).toEqual(paths.map(() => 200));
        const page = await fetch(`${url}/`);
        expect(page.status).toBe(200);
        expect(await page.text()).toContain('<html');
      },
      2 * MINUTES,
    );
  });
});

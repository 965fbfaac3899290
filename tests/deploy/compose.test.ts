import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { writeDeploymentSecrets } from '../../tools/lib/deployment.js';
import { REPOSITORY } from '../../tools/lib/home.js';
import { SERVER_PARAMETERS } from '../../tools/lib/mongod.js';
import { freePort } from '../../tools/lib/ports.js';
import { STOP_GRACE_MS } from '../../tools/lib/services.js';
import { type Compose, type Container, readCompose, readEnvFile } from './compose.js';
import { HTTP_PORT, OPS_PORT, PROCESSES, problemsOf } from './processes.js';

const SECONDS = 1_000;

describe('docker-compose.yml', () => {
  let folder: string;
  let secrets: string;
  let compose: Compose;
  const containerOf = (name: string): Container => {
    const found = compose.services[name];
    if (found === undefined) throw new Error(`docker-compose.yml has no ${name}`);
    return found;
  };
  const environmentOf = (name: string): Record<string, string> => {
    const { environment = {}, env_file: file = '' } = containerOf(name);
    return { ...readEnvFile(join(secrets, basename(file))), ...environment };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'compose-'));
    secrets = await writeDeploymentSecrets({ folder: join(folder, 'secrets'), target: 'compose' });
    compose = readCompose();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PROCESSES)('gives %s an environment that it starts with, and no name that it does not read', (name) => {
    expect(problemsOf(name, environmentOf(name))).toEqual([]);
  });

  it.each(PROCESSES)('runs %s from its bundle', (name) => {
    expect(containerOf(name).command).toEqual([`services/${name}/dist/bundle/main.js`]);
    expect(existsSync(join(REPOSITORY, 'services', name, 'src', 'main.ts'))).toBe(true);
  });

  it.each(PROCESSES)('gives %s no right that it does not need, and the time that its stop takes', (name) => {
    expect(containerOf(name)).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(Number.parseInt(containerOf(name).stop_grace_period ?? '', 10) * SECONDS).toBeGreaterThanOrEqual(
      STOP_GRACE_MS,
    );
  });

  it.each(PROCESSES)('asks %s for its readiness on its operations port', (name) => {
    expect(environmentOf(name)).toMatchObject({ CDS_OPS_PORT: String(OPS_PORT), CDS_OPS_HOST: '0.0.0.0' });
    expect(containerOf(name).healthcheck?.test?.join(' ')).toContain(`http://127.0.0.1:${OPS_PORT}/readyz`);
  });

  it('publishes the gateway alone, on loopback, at the port of its address', () => {
    const published = Object.entries(compose.services).filter(([, one]) => one.ports && !one.profiles);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['gateway', [`127.0.0.1:8080:${HTTP_PORT}`]]]);
    const moved = readCompose({ CDS_PORT: '8090' }).services['gateway'];
    expect(moved).toMatchObject({
      ports: ['127.0.0.1:8090:8080'],
      environment: { CDS_APP_URL: 'http://localhost:8090' },
    });
    expect(moved?.environment).toMatchObject({ CDS_HTTP_PORT: String(HTTP_PORT), CDS_HTTP_HOST: '0.0.0.0' });
  });

  it('starts what others wait for: every condition names a container that can meet it', () => {
    for (const [name, { depends_on: needed = {} }] of Object.entries(compose.services))
      for (const [other, { condition }] of Object.entries(needed)) {
        const { healthcheck } = containerOf(other);
        const meets = condition === 'service_healthy' ? healthcheck?.test !== undefined : healthcheck?.disable === true;
        expect({ name, other, meets }).toEqual({ name, other, meets: true });
      }
    for (const name of PROCESSES.filter((one) => one !== 'bus-admin'))
      expect(Object.keys(containerOf(name).depends_on ?? {})).toEqual(
        expect.arrayContaining(['migration', 'nats', 'bus-admin']),
      );
  });

  it('declares every volume and secret that a container uses, and names every image with a version', () => {
    for (const [name, one] of Object.entries(compose.services)) {
      for (const volume of one.volumes ?? []) {
        const [from = ''] = volume.split(':');
        const there = from.startsWith('./') ? existsSync(join(REPOSITORY, from)) : from in compose.volumes;
        expect({ name, from, there }).toEqual({ name, from, there: true });
      }
      for (const secret of one.secrets ?? [])
        expect(existsSync(join(secrets, basename(compose.secrets[secret]?.file ?? '?')))).toBe(true);
      expect(one.image).toMatch(/:(?!latest$)v?\d[\w.-]*$/);
    }
  });

  it('runs mongod with the parameters that a failover and an abandoned transaction rest on', () => {
    const command = containerOf('mongodb').command ?? [];
    for (const parameter of SERVER_PARAMETERS.filter((one) => /^(transactionLifetime|oplog)/.test(one)))
      expect(command).toContain(`--setParameter=${parameter}`);
  });

  it('makes the same secrets again', async () => {
    const before = PROCESSES.map((name) => readEnvFile(join(secrets, `${name}.env`)));
    await writeDeploymentSecrets({ folder: secrets, target: 'compose' });
    expect(PROCESSES.map((name) => readEnvFile(join(secrets, `${name}.env`)))).toEqual(before);
  });

  describe('its bus', () => {
    it('lets each process in with its password, and nobody without one', async () => {
      const port = await freePort();
      const config = readFileSync(join(REPOSITORY, 'deploy/compose/nats.conf'), 'utf8');
      // The container's folder and monitoring port are this machine's, too.
      const local = join(folder, 'nats.conf');
      writeFileSync(local, config.replace('"/data"', '"data"').replace(/^.*"http_port".*\n/m, ''));
      const server = spawn(process.env['CDS_TEST_NATS_BIN'] ?? '', ['-c', local, '-a', '127.0.0.1', '-p', `${port}`], {
        cwd: folder,
        env: readEnvFile(join(secrets, 'nats.env')),
        stdio: 'ignore',
      });
      try {
        for (const name of PROCESSES) {
          const { CDS_NATS_USER: user = '', CDS_NATS_PASSWORD: pass = '' } = environmentOf(name);
          const nats = await connect({ servers: `127.0.0.1:${port}`, user, pass, waitOnFirstConnect: true });
          await nats.flush();
          await nats.close();
        }
        await expect(connect({ servers: `127.0.0.1:${port}`, user: 'gateway', pass: 'none' })).rejects.toThrow(
          /authorization/i,
        );
      } finally {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
    }, 30_000);
  });

  describe('its database', () => {
    it('is made a replica set with a user for each service, as often as the migration runs', async () => {
      const data = join(folder, 'db');
      mkdirSync(data);
      const key = join(folder, 'mongodb.key');
      cpSync(join(secrets, 'mongodb.key'), key);
      chmodSync(key, 0o400);
      const port = await freePort();
      const mongod = process.env['CDS_TEST_MONGOD_BIN'] ?? '';
      const start = (...args: string[]) =>
        spawn(mongod, ['--dbpath', data, '--port', `${port}`, '--bind_ip', '127.0.0.1', '--nounixsocket', ...args], {
          stdio: 'ignore',
        });
      // What the image's entry point does first: a server alone, with its root user.
      const first = start();
      const alone = await MongoClient.connect(`mongodb://127.0.0.1:${port}`);
      const { MONGO_INITDB_ROOT_PASSWORD: pwd = '' } = readEnvFile(join(secrets, 'mongodb.env'));
      await alone.db('admin').command({ createUser: 'root', pwd, roles: ['root'] });
      await alone.close();
      first.kill('SIGTERM');
      await once(first, 'exit');

      const server = start('--replSet', 'cds', '--keyFile', key);
      try {
        const local = (uri: string) => uri.replace('mongodb:27017', `127.0.0.1:${port}`);
        const migration = readEnvFile(join(secrets, 'migration.env'));
        const env = { ...process.env, ...migration, MONGODB_ROOT_URI: local(migration['MONGODB_ROOT_URI'] ?? '') };
        for (let times = 0; times < 2; times += 1) {
          const setup = spawn(process.execPath, [join(REPOSITORY, 'tools/compose-setup.ts')], { env, stdio: 'ignore' });
          expect(await once(setup, 'exit')).toEqual([0, null]);
        }
        for (const name of PROCESSES.filter((one) => one !== 'bus-admin')) {
          const { CDS_MONGODB_URI: uri = '', CDS_MONGODB_DB: db = '' } = environmentOf(name);
          const client = await MongoClient.connect(local(uri));
          await client.db(db).collection('probe').insertOne({});
          await expect(client.db('other').collection('probe').insertOne({})).rejects.toThrow(/not authorized/);
          await client.close();
        }
      } finally {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
    }, 90_000);
  });
});

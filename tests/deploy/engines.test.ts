import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_VERSIONS } from '@cds/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mustBeToHand } from '../../tools/lib/engines.js';
import { REPOSITORY } from '../../tools/lib/home.js';

const { mongod, 'nats-server': nats } = ENGINE_VERSIONS;
const textOf = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

describe('the versions of the engines', () => {
  it.each([
    ['docker-compose.yml', /image: mongo:(\S+)/g, mongod.shipped],
    ['docker-compose.yml', /image: nats:(\S+)-alpine/g, nats.shipped],
    ['deploy/k8s/nats/values.yaml', /tag: (\S+)-alpine/g, nats.shipped],
    ['deploy/k8s/components/backup/mongodb.yaml', /image: mongo:(\S+)/g, mongod.shipped],
    ['deploy/k8s/restore/mongodb.yaml', /image: mongo:(\S+)/g, mongod.shipped],
    ['.github/workflows/nightly.yml', /docker create mongo:(\S+)\)/g, mongod.shipped],
    ['.github/workflows/check.yml', /docker create mongo:(\S+)\)/g, mongod.shipped],
    ['.github/workflows/check.yml', /docker create nats:(\S+)-alpine\)/g, nats.shipped],
    ['README.md', /mongod (\d\S*) and/g, mongod.least.replace(/\.0$/, '')],
    ['README.md', /nats-server (\d\S*),/g, nats.least.replace(/\.0$/, '')],
  ])('are those of engines.json in %s, as %s finds them', (file, pattern, version) => {
    const found = [...textOf(file).matchAll(pattern)].map(([, tag]) => tag);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([version]));
  });

  it('ship the nats-server that the suites run', () => {
    expect(nats.tested).toMatch(new RegExp(`^${nats.shipped.replace('.', '\\.')}\\.`));
  });
});

describe('a first start on a machine without engines', () => {
  const NAMES = ['MONGODB_URI', 'NATS_URL', 'CDS_MONGOD_BIN', 'CDS_NATS_SERVER_BIN', 'MONGOMS_SYSTEM_BINARY'];
  const PLACES = ['PATH', 'HOME', 'CDS_CACHE'];
  const before = new Map([...NAMES, ...PLACES].map((name) => [name, process.env[name]]));
  beforeEach(() => {
    for (const name of NAMES) delete process.env[name];
    const empty = mkdtempSync(join(tmpdir(), 'cds-no-engines-'));
    for (const name of PLACES) process.env[name] = empty;
  });
  afterEach(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });

  const asked = (offline: boolean) =>
    mustBeToHand(['mongod', 'nats'], { offline }).catch((error: Error & { reasons: string[] }) => error);

  it('names everything that is missing, and what would fetch it, in one failure', async () => {
    const failure = await asked(false);
    expect(failure).toMatchObject({ message: 'This machine has no mongod and no nats-server.' });
    expect(JSON.stringify(failure)).toMatch(/mongod: not on PATH.*nats-server: not on PATH.*lacks go, or python3/);
  });

  it('offline, does not ask for what would fetch them', async () => {
    expect(JSON.stringify(await asked(true))).toContain('--offline fetches none');
  });

  it('begins when a server that runs is named for each', async () => {
    Object.assign(process.env, { MONGODB_URI: 'mongodb://localhost', NATS_URL: 'nats://localhost' });
    expect(await asked(false)).toBeUndefined();
  });
});

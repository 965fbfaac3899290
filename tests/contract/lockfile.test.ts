import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

type Entry = {
  version?: string;
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
};

/** What a clean install depends on (docs/reliability.md#threats). */
describe('the lockfile', () => {
  let packages: [path: string, entry: Entry][] = [];
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

  beforeAll(async () => {
    const file = await readFile(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8');
    packages = Object.entries((JSON.parse(file) as { packages: Record<string, Entry> }).packages);
  });

  it.each(['zod', 'mongodb', 'fastify', 'react', 'jose', '@opentelemetry/api'])(
    'holds at most one copy of %s',
    (name) => {
      expect(
        packages.filter(([path]) => path.includes('node_modules/') && nameOf(path) === name).length,
      ).toBeLessThanOrEqual(1);
    },
  );

  it('names no registry host', () => {
    expect(packages.filter(([, entry]) => entry.resolved?.includes('://') === true)).toEqual([]);
  });

  it('holds every optional platform binary that its packages list', () => {
    const held = new Set(packages.filter(([path]) => path.includes('node_modules/')).map(([path]) => nameOf(path)));
    const missing = packages.flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !held.has(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('has no install script beyond those known to be unnecessary', async () => {
    const root = JSON.parse(await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
      allowScripts: Record<string, boolean>;
    };
    const scripted = packages.filter(([, entry]) => entry.hasInstallScript === true).map(([path]) => nameOf(path));
    expect(scripted.filter((name) => !(name in root.allowScripts) && name !== 'fsevents')).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = join(ROOT, 'services', 'gateway', 'src');
/** What tests share belongs to no module. */
const MODULES = readdirSync(SOURCES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'test')
  .map(({ name }) => name);

type Import = { file: string; from: string; to: string; path: string };

const moduleOf = (path: string): string => path.split('/')[0] ?? '';

/** Every import of a module's code from another module. */
const IMPORTS: readonly Import[] = MODULES.flatMap((from) =>
  readdirSync(join(SOURCES, from), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((name) => {
      const file = join(from, name);
      const text = readFileSync(join(SOURCES, file), 'utf8');
      return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
        .map(([, path = '']) => normalize(join(file, '..', path)))
        .filter((path) => moduleOf(path) !== from && MODULES.includes(moduleOf(path)))
        .map((path) => ({ file, from, to: moduleOf(path), path }));
    }),
);

/** The arrows of the drawing, as "from --> to". */
const drawn = (): string[] => {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const [, picture = ''] = /## Modules of the gateway\n[\s\S]*?```mermaid\n([\s\S]*?)```/.exec(page) ?? [];
  return [...picture.matchAll(/^ *(\w+) --> (.+)$/gm)].flatMap(([, from = '', to = '']) =>
    to.split('&').map((one) => `${from} --> ${one.trim()}`),
  );
};

/** The modules that a module imports, directly or through others. */
const reach = (from: string, seen = new Set<string>()): Set<string> => {
  for (const { to } of IMPORTS.filter((one) => one.from === from)) {
    if (seen.has(to)) continue;
    seen.add(to);
    reach(to, seen);
  }
  return seen;
};

describe('the modules of the gateway', () => {
  test.each(MODULES)('%s is imported by its port alone', (name) => {
    const others = IMPORTS.filter(({ to, path }) => to === name && path !== `${name}/port.js`);
    expect(others.map(({ file, path }) => `${file} imports ${path}`)).toEqual([]);
  });

  test.each(MODULES)('%s leads back to itself through no other module', (name) => {
    expect([...reach(name)]).not.toContain(name);
  });

  it('are drawn with an arrow for each import, and with no other', () => {
    expect(new Set(drawn())).toEqual(new Set(IMPORTS.map(({ from, to }) => `${from} --> ${to}`)));
  });

  test.each(MODULES)('%s opens with a README of at most 40 lines', (name) => {
    const page = join(SOURCES, name, 'README.md');
    expect(existsSync(page)).toBe(true);
    expect(readFileSync(page, 'utf8').split('\n').length).toBeLessThanOrEqual(41);
  });
});

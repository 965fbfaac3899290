import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../../tools/lib/home.js';
import { readText } from './manifests.js';

/** What the workflow that builds and starts the image cannot tell: what it is given, and what it would run as. */
describe('the image', () => {
  const dockerfile = readText(REPOSITORY, 'Dockerfile');
  const given = readText(REPOSITORY, '.dockerignore').split('\n').filter(Boolean);

  it('is made from bases with a tag, and the last one has no shell and no package manager', () => {
    const bases = [...dockerfile.matchAll(/^ARG \w+=(.*)$/gm)].map(([, base]) => base);
    for (const base of bases) expect(base).toMatch(/:(?!latest$)[\w.-]+$/);
    expect(bases.at(-1)).toMatch(/^gcr\.io\/distroless\/cc-/);
  });

  it('runs as a numbered user who is not root, with the Node that built it', () => {
    expect(dockerfile).toMatch(/^COPY --from=build \/usr\/local\/bin\/node \/usr\/local\/bin\/node$/m);
    expect(dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))).toMatch(
      /^USER 65532:65532\n(?:.*\n)*ENTRYPOINT \["node"\]$/m,
    );
  });

  it('copies every package of the workspace before the install', () => {
    const { workspaces } = JSON.parse(readText(REPOSITORY, 'package.json')) as { workspaces: string[] };
    const packages = workspaces.flatMap((pattern) =>
      pattern.endsWith('/*')
        ? readdirSync(join(REPOSITORY, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -1)}${name}`)
        : [pattern],
    );
    for (const one of packages) expect(dockerfile).toContain(`COPY ${one}/package.json ${one}/\n`);
  });

  it('is given no secret, no installed package and nothing that was compiled here', () => {
    expect(given[0]).toBe('**');
    const [names, again] = [
      given.filter((line) => line.startsWith('!')),
      given.slice(1).filter((line) => !/^!/.test(line)),
    ];
    expect(names.filter((name) => /deploy|\.cds|secrets|\.env|\.key|tests/.test(name))).toEqual([]);
    expect(again).toEqual(
      expect.arrayContaining(['**/node_modules', '**/dist', '**/*.tsbuildinfo', '**/.env', '**/*.key']),
    );
    expect(given.indexOf('**/node_modules')).toBeGreaterThan(given.lastIndexOf('!services'));
  });
});

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Each fixture breaks one rule. The nursery rules depend on Biome's own type inference, so this proves that each still
 * fires.
 */
const BROKEN: readonly (readonly [file: string, rule: string])[] = [
  ['services/billing/src/domain/reads-mongoose.ts', 'noRestrictedImports'],
  ['services/billing/src/domain/reads-a-file.ts', 'noRestrictedImports'],
  ['services/billing/src/domain/takes-a-type.ts', 'noImportCycles'],
  ['services/billing/src/present/reaches-the-store.ts', 'noRestrictedImports'],
  ['services/billing/src/operations/reads-mongoose.ts', 'noRestrictedImports'],
  ['services/billing/src/operations/imports-a-service.ts', 'noRestrictedImports'],
  ['services/billing/src/operations/leaves-the-system.ts', 'noRestrictedGlobals'],
  ['services/billing/src/operations/opens-a-socket.ts', 'noRestrictedImports'],
  ['services/billing/src/store/knows-an-operation.ts', 'noRestrictedImports'],
  ['libs/contracts/src/reads-a-file.ts', 'noRestrictedImports'],
  ['libs/rules/src/knows-the-service.ts', 'noRestrictedImports'],
  ['libs/pages/src/asks-the-bus.ts', 'noRestrictedImports'],
  ['libs/pages/src/reads-a-store.ts', 'noRestrictedImports'],
  ['libs/pages/src/leaves-the-system.ts', 'noRestrictedGlobals'],
  ['services/billing/src/operations/reads-the-environment.ts', 'noProcessEnv'],
  ['services/billing/src/operations/floats-a-promise.ts', 'noFloatingPromises'],
  ['services/billing/src/operations/misuses-a-promise.ts', 'noMisusedPromises'],
  ['services/billing/src/operations/forgets-a-case.ts', 'useExhaustiveSwitchCases'],
  ['services/billing/src/operations/writes-to-the-console.ts', 'noConsole'],
  ['services/billing/src/operations/uses-any.ts', 'noExplicitAny'],
  ['services/gateway/src/sandbox/reaches-into-a-module.ts', 'plugin'],
  ['packages/sdk/src/needs-a-package.ts', 'noRestrictedImports'],
  ['packages/cli/src/knows-the-contracts.ts', 'noRestrictedImports'],
  ['tests/reaches-into-a-package.ts', 'noRestrictedImports'],
];

type Diagnostic = { category: string; location?: { path?: string | { file?: string } } };

const pathOf = (one: Diagnostic): string => {
  const path = one.location?.path;
  return (typeof path === 'string' ? path : path?.file) ?? '';
};

describe('the lint rules of this repository', () => {
  let folder = '';
  let found: Diagnostic[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cds-lint-'));
    await cp(join(import.meta.dirname, 'fixtures'), folder, { recursive: true });
    const config = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8')) as Record<string, unknown>;
    await writeFile(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
    await cp(join(root, 'tools', 'check', 'borders.grit'), join(folder, 'tools', 'check', 'borders.grit'));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
    const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
    const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 1 << 26 }).catch(
      (error: { stdout: string }) => error,
    );
    found = (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it.each(BROKEN)('%s breaks %s', (file, rule) => {
    const rules = found.filter((one) => pathOf(one).endsWith(file)).map((one) => one.category.split('/').at(-1));
    expect(rules).toContain(rule);
  });
});

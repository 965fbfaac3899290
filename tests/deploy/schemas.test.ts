import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeDeploymentSecrets } from '../../tools/lib/deployment.js';
import { REPOSITORY } from '../../tools/lib/home.js';
import { readText, rendered, toolAt } from './manifests.js';

/** What the operators define, as their users collect it. */
const DEFINED =
  'https://raw.githubusercontent.com/datreeio/CRDs-catalog/main/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json';
const kustomize = toolAt('kustomize');
const kubeconform = toolAt('kubeconform');
const actionlint = toolAt('actionlint');
const hadolint = toolAt('hadolint');
/** What needs a tool that is not here counts as skipped. */
const whenThere = (...tools: (string | undefined)[]) => (tools.includes(undefined) ? it.skip : it);

/** What a tool prints; its failure prints it too. */
const outputOf = (command: string, args: string[], input = ''): string => {
  try {
    return execFileSync(command, args, { cwd: REPOSITORY, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `failed: ${stdout}${stderr}`;
  }
};

describe('what other programs read', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'schemas-'));
    cpSync(join(REPOSITORY, 'deploy/k8s'), folder, { recursive: true, filter: (path) => !path.endsWith('/secrets') });
    await writeDeploymentSecrets({ folder: join(folder, 'overlays/dev/secrets'), target: 'kubernetes' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const conform = (manifests: string) =>
    outputOf(
      kubeconform ?? '',
      ['-strict', '-summary', '-schema-location=default', `-schema-location=${DEFINED}`],
      manifests,
    );

  whenThere(kustomize, kubeconform).each(['overlays/production', 'overlays/dev', 'restore'])(
    'fits the schemas of Kubernetes and of its operators: %s',
    (path) => {
      expect(conform(rendered(kustomize ?? '', join(folder, path)))).toMatch(/Valid: [1-9]\d*, Invalid: 0, Errors: 0/);
    },
  );

  it('are read where every change is checked: what a machine without these tools skips is not skipped there', () => {
    const workflow = readText(REPOSITORY, '.github/workflows/check.yml');
    const brought = ['/kustomize/v5@', '/kubeconform@', '/actionlint@', 'hadolint/hadolint-action@'];
    for (const what of [...brought, 'node tools/run.js fetch promtool']) expect(workflow).toContain(what);
  });

  whenThere(hadolint)('are a Dockerfile that hadolint accepts', () => {
    expect(outputOf(hadolint ?? '', ['Dockerfile'])).toBe('');
  });

  whenThere(actionlint)('are workflows that actionlint accepts', () => {
    expect(outputOf(actionlint ?? '', ['-no-color'])).toBe('');
  });
});

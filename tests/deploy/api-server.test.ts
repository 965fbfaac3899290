// @night: starts a kube-apiserver; the schemas of the manifests are checked by day.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeDeploymentSecrets } from '../../tools/lib/deployment.js';
import { REPOSITORY } from '../../tools/lib/home.js';
import { KubeServer } from './kube-server.js';
import { type Manifest, objectsIn, readText, rendered, schemas, toolAt } from './manifests.js';

const [kustomize, etcd, server] = ['kustomize', 'etcd', 'kube-apiserver'].map(toolAt);
const there = kustomize !== undefined && etcd !== undefined && server !== undefined && schemas !== undefined;

/**
 * The manifests before a real kube-apiserver, which knows the resources of KEDA, External Secrets and the MongoDB
 * operator: it checks every field, runs its admission, and saves nothing. No controller runs, so nothing starts.
 */
(there ? describe : describe.skip)('a kube-apiserver', () => {
  let folder: string;
  let kube: KubeServer | undefined;
  const objectsOf = (path: string): Manifest[] => objectsIn(rendered(kustomize ?? '', join(folder, path)));
  const judged = async (object: Manifest) => (await kube?.judge(object)) ?? { refused: 'no server', warnings: [] };

  beforeAll(async () => {
    folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'kube-'));
    cpSync(join(REPOSITORY, 'deploy/k8s'), folder, { recursive: true, filter: (path) => !path.endsWith('/secrets') });
    await writeDeploymentSecrets({ folder: join(folder, 'overlays/dev/secrets'), target: 'kubernetes' });
    kube = await KubeServer.start({ etcd: etcd ?? '', server: server ?? '' }, join(folder, 'server'));
    const defined = join(schemas ?? '', 'defined');
    for (const name of readdirSync(defined))
      for (const definition of objectsIn(readText(defined, name))) await kube.define(definition as never);
    const namespaces = objectsOf('overlays/production').filter(({ kind }) => kind === 'Namespace');
    for (const namespace of namespaces) await kube.apply(namespace);
  }, 120_000);
  afterAll(() => {
    kube?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['overlays/production', 'overlays/dev', 'restore'])('accepts every object of %s', async (path) => {
    const objects = objectsOf(path);
    const verdicts = await Promise.all(objects.map(judged));
    expect(verdicts.filter(({ refused, warnings }) => refused !== null || warnings.length > 0)).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(1);
  });

  it.each([
    ['a field that no kind has', { replica: 2 }, /replica: field not declared in schema/],
    ['a value of another type', { replicas: 'two' }, /replicas: expected numeric/],
    ['a selector that its pods do not match', { selector: { matchLabels: { app: 'other' } } }, /selector/],
  ])('refuses a deployment with %s', async (_what, change, reason) => {
    const deployment = objectsOf('overlays/production').find(({ kind }) => kind === 'Deployment') as Manifest;
    const { refused } = await judged({ ...deployment, spec: { ...deployment.spec, ...change } });
    expect(refused).toMatch(reason);
  });

  it('refuses a trigger of KEDA without its type', async () => {
    const objects = objectsOf('overlays/production');
    const scaled = objects.find(({ kind }) => kind === 'ScaledObject') as Manifest<{ triggers: object[] }>;
    const spec = { ...scaled.spec, triggers: [{ metadata: {} }] };
    expect((await judged({ ...scaled, spec })).refused).toMatch(/triggers\[0\]\.type: Required value/);
  });

  it('warns of pods that may run as root', async () => {
    const objects = objectsOf('overlays/production');
    const deployment = objects.find(({ kind }) => kind === 'Deployment') as Manifest<{ template: { spec: object } }>;
    const { template } = deployment.spec;
    const bare = { ...template, spec: { ...template.spec, securityContext: {} } };
    const { warnings } = await judged({ ...deployment, spec: { ...deployment.spec, template: bare } });
    expect(warnings.join('\n')).toMatch(/would violate PodSecurity .* runAsNonRoot != true/);
  });
});

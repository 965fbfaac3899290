import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DURABLES, SERVICES } from '@cds/contracts';
import { METRICS } from '@cds/service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { writeDeploymentSecrets } from '../../tools/lib/deployment.js';
import { REPOSITORY } from '../../tools/lib/home.js';
import { SERVER_PARAMETERS } from '../../tools/lib/mongod.js';
import { STOP_GRACE_MS } from '../../tools/lib/services.js';
import { readEnvFile } from './compose.js';
import { runJob } from './jobs.js';
import {
  type Container,
  type Deployment,
  labelsOf,
  type Manifest,
  objectsIn,
  ofKind,
  podOf,
  readText,
  rendered,
  toolAt,
} from './manifests.js';
import { type End, type Policy, reaches } from './network.js';
import { HTTP_PORT, OPS_PORT, PROCESSES, problemsOf } from './processes.js';

const SOURCE = join(REPOSITORY, 'deploy', 'k8s');
const SECONDS = 1_000;
const kustomize = toolAt('kustomize');
/** Without kustomize the suite is counted as skipped: nothing else proves what it renders. */
const describeRendered = kustomize === undefined ? describe.skip : describe;

type User = {
  name: string;
  passwordSecretRef: { name: string; key: string };
  connectionStringSecretName: string;
  roles: { db: string }[];
};
type Named = { name: string };
type SecretKey = { name: string; key: string; optional?: boolean };
type ExternalSecret = Manifest<{ data: { secretKey: string }[] }>;
type Scaled = Manifest<{
  scaleTargetRef: { name: string };
  minReplicaCount?: number;
  minReplicas?: number;
  triggers: { type: string; metadata: Record<string, string> }[];
  metrics: { type: string; pods?: { metric: { name: string } } }[];
}>;

/** The users of the bus, as its chart takes them. */
const usersOfBus = () =>
  parse(readText(SOURCE, 'nats/users.yaml')) as {
    config: { merge: { authorization: { users: { user: string }[] } } };
    container: { env: Record<string, { valueFrom: { secretKeyRef: SecretKey } }> };
  };

describeRendered.each(['production', 'dev'])('the overlay %s', (overlay) => {
  let folder: string;
  let objects: Manifest[];
  const deployments = () => ofKind<Deployment>(objects, 'Deployment');
  const processOf = (name: string): { one: Deployment; container: Container } => {
    const one = deployments().find(({ metadata }) => metadata.name === name);
    const container = one?.spec.template.spec.containers[0];
    if (one === undefined || container === undefined) throw new Error(`${overlay} has no deployment ${name}`);
    return { one, container };
  };
  const workloads = () => objects.filter((one) => podOf(one) !== undefined);
  const databaseUsers = (): User[] =>
    ofKind<Manifest<{ users: User[] }>>(objects, 'MongoDBCommunity').flatMap(({ spec }) => spec.users);
  /** Every secret by its name, with the keys that it will have. */
  const secretKeys = (): Map<string, Set<string>> => {
    const external = ofKind<ExternalSecret>(objects, 'ExternalSecret').map(
      ({ metadata, spec }) => [metadata.name, new Set(spec.data.map(({ secretKey }) => secretKey))] as const,
    );
    const generated = ofKind(objects, 'Secret').map(
      ({ metadata, data = {} }) => [metadata.name, new Set(Object.keys(data))] as const,
    );
    const connections = databaseUsers().map(
      ({ connectionStringSecretName }) => [connectionStringSecretName, new Set(['connectionString.standard'])] as const,
    );
    return new Map([...external, ...generated, ...connections]);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'k8s-'));
    const copy = join(folder, 'k8s');
    cpSync(SOURCE, copy, { recursive: true, filter: (path) => !path.endsWith('/secrets') });
    await writeDeploymentSecrets({ folder: join(copy, 'overlays/dev/secrets'), target: 'kubernetes' });
    objects = objectsIn(rendered(kustomize ?? '', join(copy, 'overlays', overlay)));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has a deployment of each process, with a budget for disruptions and an account without a token', () => {
    expect(new Set(deployments().map(({ metadata }) => metadata.name))).toEqual(new Set(PROCESSES));
    for (const name of PROCESSES) {
      const budget = ofKind<Manifest<{ maxUnavailable: number; selector: object }>>(
        objects,
        'PodDisruptionBudget',
      ).find(({ metadata }) => metadata.name === name);
      expect(budget?.spec).toEqual({ maxUnavailable: 1, selector: processOf(name).one.spec.selector });
      const account = ofKind(objects, 'ServiceAccount').find(({ metadata }) => metadata.name === name);
      expect(account?.automountServiceAccountToken).toBe(false);
      expect(processOf(name).one.spec.template.spec.serviceAccountName).toBe(name);
      const { matchLabels } = processOf(name).one.spec.selector as { matchLabels: Record<string, string> };
      expect(labelsOf(processOf(name).one)).toMatchObject({ ...matchLabels, service: name });
    }
  });

  it.each(PROCESSES)('gives %s an environment that it starts with, and no name that it does not read', async (name) => {
    const secrets = await writeDeploymentSecrets({ folder: join(folder, 'compose'), target: 'compose' });
    const values = readEnvFile(join(secrets, `${name}.env`));
    const given = Object.fromEntries(
      (processOf(name).container.env ?? [])
        // A secret that may be absent leaves its variable unset.
        .filter(({ valueFrom }) => valueFrom?.secretKeyRef.optional !== true)
        .map((one) => [one.name, one.value ?? values[one.name] ?? '']),
    );
    expect(problemsOf(name, given)).toEqual([]);
  });

  it('names each secret and key where something makes them', () => {
    const there = secretKeys();
    const wanted = workloads().flatMap((one) =>
      (podOf(one)?.containers ?? []).flatMap(({ env = [] }) =>
        env.flatMap(({ valueFrom }) => (valueFrom === undefined ? [] : [valueFrom.secretKeyRef])),
      ),
    );
    const passwords = databaseUsers().map(({ passwordSecretRef }) => ({ ...passwordSecretRef, optional: false }));
    const bus = Object.values(usersOfBus().container.env).map(({ valueFrom }) => valueFrom.secretKeyRef);
    expect(wanted.length).toBeGreaterThan(20);
    const missing = [...wanted, ...passwords, ...bus].filter(({ name, key }) => there.get(name)?.has(key) !== true);
    // A trial runs without mail, a payment rail and a social network; elsewhere the store holds their secrets, or none.
    expect(missing.filter(({ optional }) => overlay !== 'dev' || optional !== true)).toEqual([]);
  });

  it('gives each process its own secret alone', () => {
    for (const name of PROCESSES)
      for (const { valueFrom } of processOf(name).container.env ?? [])
        if (valueFrom !== undefined)
          expect([name, `mongodb-${name}`, ...(name === 'catalog' ? ['mongodb-catalog-identity'] : [])]).toContain(
            valueFrom.secretKeyRef.name,
          );
  });

  it('gives each service a database user for its own database alone', () => {
    for (const service of SERVICES) {
      const user = databaseUsers().find(
        ({ connectionStringSecretName }) => connectionStringSecretName === `mongodb-${service}`,
      );
      expect(user?.roles).toEqual([{ name: 'readWrite', db: `cds_${service}` }]);
    }
  });

  it('lets a process stop by itself: the pause before and its own 30 s fit into the grace period', () => {
    for (const name of PROCESSES) {
      const { one, container } = processOf(name);
      const pause = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
      const grace = one.spec.template.spec.terminationGracePeriodSeconds ?? 30;
      expect(pause).toBeGreaterThan(0);
      expect((grace - pause) * SECONDS).toBeGreaterThanOrEqual(STOP_GRACE_MS);
      expect(one.spec.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
  });

  it('asks each process on its operations port, which listens beyond loopback', () => {
    for (const name of PROCESSES) {
      const { container } = processOf(name);
      const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
      expect(probes.map((probe) => probe?.httpGet)).toEqual([
        { path: '/livez', port: 'ops' },
        { path: '/readyz', port: 'ops' },
        { path: '/livez', port: 'ops' },
      ]);
      expect(container.ports).toContainEqual({ name: 'ops', containerPort: OPS_PORT });
      expect(container.env).toEqual(
        expect.arrayContaining([
          { name: 'CDS_OPS_PORT', value: String(OPS_PORT) },
          { name: 'CDS_OPS_HOST', value: '0.0.0.0' },
        ]),
      );
    }
  });

  it('runs as what it is for, from the image of this version, with a copy of each stream on each server', () => {
    const { version } = JSON.parse(readText(REPOSITORY, 'package.json')) as { version: string };
    for (const name of PROCESSES) expect(processOf(name).container.image).toMatch(new RegExp(`:v${version}$`));
    for (const service of SERVICES)
      expect(processOf(service).container.env).toContainEqual({
        name: 'CDS_ENV',
        value: overlay === 'dev' ? 'development' : 'production',
      });
    const replicas = overlay === 'dev' ? '1' : '3';
    expect(processOf('bus-admin').container.env).toContainEqual({ name: 'CDS_NATS_REPLICAS', value: replicas });
  });

  it('runs nothing as root, with rights to spare, without limits or from an image without a version', () => {
    for (const one of workloads()) {
      const pod = podOf(one);
      expect({ of: one.metadata.name, ...pod?.securityContext }).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod?.securityContext?.runAsUser).toBeGreaterThan(0);
      expect(pod?.automountServiceAccountToken).toBe(false);
      for (const container of pod?.containers ?? []) {
        expect(container.image).toMatch(/:(?!latest$)v?\d[\w.-]*$/);
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        for (const part of [container.resources?.requests, container.resources?.limits])
          expect(new Set(Object.keys(part ?? {}))).toEqual(new Set(['cpu', 'memory']));
      }
    }
  });

  it('has the volumes that its pods mount', () => {
    const claims = ofKind(objects, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    for (const one of workloads())
      for (const { persistentVolumeClaim: claim } of podOf(one)?.volumes ?? [])
        if (claim !== undefined) expect(claims).toContain(claim.claimName);
    for (const service of SERVICES)
      expect(processOf(service).container.volumeMounts).toEqual([{ name: 'audit', mountPath: '/var/lib/cds/audit' }]);
  });

  it('denies what no policy allows, and lets every process reach what it is made of', () => {
    const policies = ofKind<Policy>(objects, 'NetworkPolicy');
    const denied = policies.find(({ metadata }) => metadata.name === 'default-deny');
    expect(denied?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });

    const pod = (name: string, labels: Record<string, string> = { 'app.kubernetes.io/name': name }): [string, End] => [
      name,
      { labels },
    ];
    const [nats, mongodb] = [pod('nats'), pod('mongodb')];
    // What cert-manager starts in our namespace to prove the host.
    const solver = pod('acme', { 'acme.cert-manager.io/http01-solver': 'true' });
    const of = (namespace: string): [string, End] => [namespace, { namespace, labels: {} }];
    const [keda, monitoring, ingress] = [of('keda'), of('monitoring'), of('ingress-nginx')];
    const anywhere: [string, End] = ['public', 'public'];
    const restore = ['mongodb', 'jetstream'].flatMap((name) => objectsIn(readText(SOURCE, 'restore', `${name}.yaml`)));
    const ours = [...workloads(), ...restore].map((one) => pod(one.metadata.name, labelsOf(one)));
    const ourOwn = (...names: readonly string[]) => ours.filter(([name]) => names.includes(name));

    const onBus = ours.filter(([name]) => !name.endsWith('-mongodb'));
    const outside = [keda, monitoring, ingress, anywhere];
    const allowed = [
      ...onBus.map((one) => [one, nats, 4_222] as const),
      ...ours.filter(([name]) => !/^bus-admin$|-jetstream$/.test(name)).map((one) => [one, mongodb, 27_017] as const),
      ...ourOwn('gateway', 'catalog', 'planning', 'billing').map((one) => [one, anywhere, 443] as const),
      ...ourOwn('gateway').map((one) => [ingress, one, HTTP_PORT] as const),
      ...onBus.flatMap((one) => [[monitoring, one, OPS_PORT] as const, [one, monitoring, 4_318] as const]),
      ...[7_777, 8_222].map((port) => [monitoring, nats, port] as const),
      [keda, nats, 8_222] as const,
      [nats, nats, 6_222] as const,
      [mongodb, mongodb, 27_017] as const,
      ...(overlay === 'dev' ? [] : [[ingress, solver, 8_089] as const]),
      // The mail server differs from installation to installation.
      ...(overlay === 'dev' ? [] : ourOwn('gateway').flatMap((one) => outside.map((to) => [one, to, 465] as const))),
    ].map(([[from], [to], port]) => `${from} to ${to} ${port}`);

    const ends = [...ours, nats, mongodb, solver, ...outside];
    const ports = [443, 465, 4_222, 4_318, 6_222, 7_777, HTTP_PORT, 8_089, 8_222, OPS_PORT, 27_017];
    const reached = ends.flatMap((from) =>
      ends
        .filter((to) => !(outside.includes(from) && outside.includes(to)))
        .flatMap((to) =>
          ports
            .filter((port) => reaches(policies, from[1], to[1], port))
            .map((port) => `${from[0]} to ${to[0]} ${port}`),
        ),
    );
    // The agent of MongoDB asks the API server, at an address that is not known here.
    const others = reached.filter((one) => !/^mongodb to \S+ 443$/.test(one));
    const sorted = (some: readonly string[]) => [...new Set(some)].sort((one, two) => one.localeCompare(two));
    expect(sorted(others)).toEqual(sorted(allowed));
  });

  it('migrates each service in the environment of its deployment', () => {
    const [job] = ofKind(objects, 'Job');
    const containers = (job && podOf(job)?.containers) ?? [];
    expect(containers.map(({ name }) => name)).toEqual([...SERVICES]);
    for (const { name, env, args, image } of containers) {
      expect(env).toEqual(processOf(name).container.env);
      expect(image).toBe(processOf(name).container.image);
      expect(args).toEqual([`services/${name}/dist/bundle/main.js`, 'migrate']);
    }
  });

  if (overlay === 'dev') return;

  it('scales each deployment by one autoscaler at most, which alone says how many replicas run', () => {
    const targets = [
      ...ofKind<Scaled>(objects, 'ScaledObject'),
      ...ofKind<Scaled>(objects, 'HorizontalPodAutoscaler'),
    ].map(({ spec }) => spec.scaleTargetRef.name);
    expect([...targets].sort()).toEqual([...SERVICES].sort());
    for (const name of targets) expect(processOf(name).one.spec.replicas).toBeUndefined();
  });

  it('scales the gateway by its requests in flight, a metric that the adapter serves', () => {
    const [gateway] = ofKind<Scaled>(objects, 'HorizontalPodAutoscaler');
    const metric = gateway?.spec.metrics.find(({ type }) => type === 'Pods')?.pods?.metric.name ?? '';
    expect(readText(SOURCE, 'monitoring/prometheus-adapter.yaml')).toContain(`as: ${metric}\n`);
    expect(METRICS).toHaveProperty(metric);
  });

  it('leads callers to the gateway, which believes the controller alone', () => {
    const [ingress] = ofKind<
      Manifest<{
        rules: { host: string; http: { paths: { backend: { service: { name: string; port: Named } } }[] } }[];
      }>
    >(objects, 'Ingress');
    const env = processOf('gateway').container.env ?? [];
    const settingOf = (name: string) => env.find((one) => one.name === name)?.value;
    expect(ingress?.spec.rules.map(({ host }) => `https://${host}`)).toEqual([settingOf('CDS_APP_URL')]);
    expect(ingress?.spec.rules[0]?.http.paths[0]?.backend.service).toEqual({ name: 'gateway', port: { name: 'http' } });
    expect(settingOf('CDS_TRUSTED_PROXIES')).toMatch(/\/\d+$/);
    // Longer than the longest request, an operator's write of 60 s (docs/reliability.md#deadlines).
    const annotations = ingress?.metadata.annotations ?? {};
    expect(Number(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'])).toBeGreaterThan(60);
    expect(annotations['nginx.ingress.kubernetes.io/proxy-next-upstream']).toBe('error');
  });
});

describe('deploy/k8s', () => {
  it('names in every kustomization only files that exist, and leaves none out', () => {
    const folders = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name === 'kustomization.yaml')
      .map(({ parentPath }) => parentPath);
    expect(folders.length).toBeGreaterThan(8);
    for (const folder of folders) {
      const {
        resources = [],
        components = [],
        patches = [],
      } = parse(readText(folder, 'kustomization.yaml')) as {
        resources?: string[];
        components?: string[];
        patches?: { path?: string }[];
      };
      const named = [...resources, ...components, ...patches.flatMap(({ path }) => path ?? [])];
      for (const path of named)
        expect({ folder, path, there: existsSync(join(folder, path)) }).toMatchObject({ there: true });
      const files = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile());
      const unnamed = files
        .map(({ name }) => name)
        .filter((name) => name !== 'kustomization.yaml' && !named.includes(name));
      expect({ folder, unnamed }).toEqual({ folder, unnamed: [] });
    }
  });

  it('scales a service by its processor and by the lag of each of its durables', () => {
    const scaled = ofKind<Scaled>(objectsIn(readText(SOURCE, 'components/autoscaling/services.yaml')), 'ScaledObject');
    for (const { metadata, spec } of scaled) {
      const events = spec.triggers.filter(({ type }) => type === 'nats-jetstream');
      expect(events.map((one) => [one.metadata['stream'], one.metadata['consumer']])).toEqual(
        DURABLES.filter(({ consumer }) => consumer === metadata.name).map(({ stream, name }) => [stream, name]),
      );
      for (const { metadata: of } of events)
        expect(of).toMatchObject({
          natsServerMonitoringEndpoint: 'nats-headless.cds.svc.cluster.local:8222',
          account: '$G',
        });
      expect(spec.triggers.filter(({ type }) => type === 'cpu')).toHaveLength(1);
      expect(spec.minReplicaCount).toBeGreaterThanOrEqual(2);
    }
    expect(new Set(scaled.map(({ metadata }) => metadata.name))).toEqual(
      new Set(SERVICES.filter((service) => service !== 'gateway')),
    );
  });

  it('runs mongod with the parameters that a failover and an abandoned transaction rest on', () => {
    const [set] = objectsIn(readText(SOURCE, 'base/mongodb.yaml'));
    const { additionalMongodConfig } = (set?.spec ?? {}) as { additionalMongodConfig?: Record<string, number> };
    for (const parameter of SERVER_PARAMETERS.filter((one) => /^(transactionLifetime|oplog)/.test(one))) {
      const [name, value] = parameter.split('=');
      expect(additionalMongodConfig).toHaveProperty([`setParameter.${name}`], Number(value));
    }
  });

  describe('its jobs that save and restore', () => {
    /** A connection string as the operator of MongoDB writes it. */
    const MONGODB_URI = 'mongodb://backup:p1@m0.svc:27017,m1.svc:27017/admin?replicaSet=mongodb&ssl=false';
    let folder: string;
    /** Runs a job with programs that only write down how they were called; answers the calls, a line each. */
    const callsOf = async (job: string, programs: Record<string, string>, env: Record<string, string> = {}) => {
      const bin = mkdtempSync(join(folder, 'bin-'));
      const calls = join(bin, 'calls');
      writeFileSync(calls, '');
      for (const [name, then] of Object.entries(programs))
        writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@" >> ${calls}\n${then}\n`, { mode: 0o755 });
      const PATH = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
      const failed = await runJob(job, folder, { PATH, MONGODB_URI, ...env }).then(
        () => false,
        () => true,
      );
      return { failed, calls: readText(calls).split('\n').slice(0, -1) };
    };
    const whole = '--uri=mongodb://backup:p1@m0.svc:27017,m1.svc:27017/?replicaSet=mongodb&ssl=false';

    beforeAll(() => {
      folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'jobs-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('dump every database with the log of operations, and leave the users out', async () => {
      const dumped = 'out=$(printf "%s\\n" "$@" | sed -n "s/^--out=//p"); mkdir -p "$out/admin" "$out/cds_x"';
      const { failed, calls } = await callsOf('components/backup/mongodb.yaml', { mongodump: dumped });
      expect({ failed, calls }).toEqual({
        failed: false,
        calls: [expect.stringMatching(/^mongodump \S+ --oplog --gzip --out=\S+\.part$/)],
      });
      expect(calls[0]).toContain(whole);
      const [dump = ''] = readdirSync(folder).filter((name) => name.startsWith('mongodb-'));
      expect(dump).toMatch(/^mongodb-\d{8}T\d{6}Z$/);
      expect(readdirSync(join(folder, dump))).toEqual(['cds_x']);
    });

    it('restore every database up to the end of that log', async () => {
      mkdirSync(join(folder, 'saved'));
      const { failed, calls } = await callsOf('restore/mongodb.yaml', { mongorestore: '' }, { BACKUP: 'saved' });
      expect({ failed, calls }).toEqual({
        failed: false,
        calls: [`mongorestore ${whole} --drop --oplogReplay --gzip ${folder}/saved`],
      });
      expect(await callsOf('restore/mongodb.yaml', { mongorestore: '' }, { BACKUP: 'absent' })).toEqual({
        failed: true,
        calls: [],
      });
    });

    it('save the streams, and empty the bus before they are restored', async () => {
      const saved = await callsOf('components/backup/jetstream.yaml', { nats: 'for one; do :; done; mkdir "$one"' });
      expect(saved).toEqual({
        failed: false,
        calls: [expect.stringMatching(/^nats account backup --force --consumers \S+\.part$/)],
      });
      const [copy = ''] = readdirSync(folder).filter((name) => name.startsWith('jetstream-'));
      const two = { nats: 'if [ "$2" = ls ]; then echo EVT_A; echo EVT_B; fi' };
      const emptied = ['nats stream ls --names', 'nats stream rm --force EVT_A', 'nats stream rm --force EVT_B'];
      expect(await callsOf('restore/jetstream.yaml', two, { BACKUP: copy })).toEqual({
        failed: false,
        calls: [...emptied, `nats account restore ${folder}/${copy}`],
      });
      expect(await callsOf('restore/jetstream.yaml', two, { BACKUP: '' })).toEqual({ failed: false, calls: emptied });
    });

    it('fail where the streams cannot be listed, so that none is taken for gone', async () => {
      const { failed } = await callsOf('restore/jetstream.yaml', { nats: 'exit 1' }, { BACKUP: '' });
      expect(failed).toBe(true);
    });

    it('wait for somebody to start those that restore', () => {
      const jobs = ['mongodb', 'jetstream'].flatMap((name) => objectsIn(readText(SOURCE, 'restore', `${name}.yaml`)));
      expect(ofKind<Manifest<{ suspend: boolean }>>(jobs, 'Job').map(({ spec }) => spec.suspend)).toEqual([true, true]);
    });
  });
});

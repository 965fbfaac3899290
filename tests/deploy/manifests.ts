import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { cacheFolders } from '../../tools/lib/home.js';

type Named = { name: string };

/** One variable of a container. */
export type Variable = Named & {
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
};

export type Probe = { httpGet: { path: string; port: string } };

/** A container, as far as the policies read it. */
export type Container = Named & {
  image: string;
  command?: string[];
  args?: string[];
  env?: Variable[];
  ports?: (Named & { containerPort: number })[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  volumeMounts?: (Named & { mountPath: string })[];
};

export type PodSpec = {
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  topologySpreadConstraints?: { topologyKey: string }[];
  containers: Container[];
  volumes?: (Named & { persistentVolumeClaim?: { claimName: string } })[];
};

type PodTemplate = {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: PodSpec;
};

/** An object of the cluster. `spec` differs by kind; each policy says which it reads. */
export type Manifest<Spec = Record<string, unknown>> = {
  apiVersion: string;
  kind: string;
  metadata: Named & { namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: Spec;
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
};

export type Deployment = Manifest<{
  replicas?: number;
  selector: { matchLabels: Record<string, string> };
  strategy?: { rollingUpdate?: { maxUnavailable?: number; maxSurge?: number } };
  template: PodTemplate;
}>;

/** The folders of the cache that hold programs, one each. */
const cached = (): string[] =>
  cacheFolders()
    .map((folder) => join(folder, 'bin'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));

/** Where a tool is: on PATH, where `go install` puts it, or where `node tools/run.js fetch` does. */
export const toolAt = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go', 'bin'), ...cached()]
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/** The objects in a text of several YAML documents. */
export const objectsIn = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((one) => one !== null);

/** What kustomize makes of a folder. */
export const rendered = (kustomize: string, folder: string): string =>
  execFileSync(kustomize, ['build', folder], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });

export const ofKind = <M extends Manifest = Manifest>(objects: readonly Manifest[], kind: string): M[] =>
  objects.filter((one): one is M => one.kind === kind);

const templateOf = ({ kind, spec }: Manifest): PodTemplate | undefined => {
  const holder =
    kind === 'CronJob' ? (spec as { jobTemplate: { spec: { template: PodTemplate } } }).jobTemplate.spec : spec;
  return (holder as { template?: PodTemplate } | undefined)?.template;
};

/** The pod of a workload, whatever the kind of it. */
export const podOf = (one: Manifest): PodSpec | undefined => templateOf(one)?.spec;

/** The labels of a workload's pods. */
export const labelsOf = (one: Manifest): Record<string, string> => templateOf(one)?.metadata.labels ?? {};

/** A YAML file of the repository. */
export const readText = (...path: string[]): string => readFileSync(join(...path), 'utf8');

import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../tools/lib/ports.js';
import type { Manifest } from './manifests.js';

const TOKEN = 'test';
const UP_MS = 60_000;
const AGAIN_MS = 100;

/** What the server says about an object: its message if it refuses it, and its warnings. */
export type Verdict = { object: string; refused: string | null; warnings: string[] };

type Answer = { status: number; body: unknown; warnings: string[] };
type Resources = { resources: { name: string; kind: string; namespaced: boolean }[] };

/**
 * kube-apiserver on etcd, both on loopback: what a cluster says about an object before any controller acts on it. The
 * one caller may do everything; service accounts, which only pods need, are not checked.
 */
export class KubeServer {
  private readonly resources = new Map<string, Resources['resources']>();

  private constructor(
    private readonly processes: readonly ChildProcess[],
    private readonly port: number,
    private readonly certificate: string,
  ) {}

  static async start(programs: { etcd: string; server: string }, folder: string): Promise<KubeServer> {
    mkdirSync(folder, { recursive: true });
    const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
    const launch = (program: string, name: string, args: string[]): ChildProcess => {
      const log = createWriteStream(join(folder, `${name}.log`));
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      return child;
    };
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    writeFileSync(join(folder, 'sa.key'), privateKey, { mode: 0o600 });
    writeFileSync(join(folder, 'sa.pub'), publicKey);
    writeFileSync(join(folder, 'tokens.csv'), `${TOKEN},tester,tester,system:masters\n`);
    const etcd = launch(programs.etcd, 'etcd', [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=http://127.0.0.1:${client}`,
      `--advertise-client-urls=http://127.0.0.1:${client}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
      `--initial-cluster=default=http://127.0.0.1:${peer}`,
      '--unsafe-no-fsync',
    ]);
    const server = launch(programs.server, 'kube-apiserver', [
      `--etcd-servers=http://127.0.0.1:${client}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${join(folder, 'certificates')}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      '--authorization-mode=AlwaysAllow',
      '--service-cluster-ip-range=10.96.0.0/24',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${join(folder, 'sa.pub')}`,
      `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
      '--disable-admission-plugins=ServiceAccount',
    ]);
    const started = new KubeServer([etcd, server], port, join(folder, 'certificates', 'apiserver.crt'));
    try {
      await started.untilReady(folder);
    } catch (error) {
      started.stop();
      throw error;
    }
    return started;
  }

  stop(): void {
    for (const child of this.processes) child.kill('SIGKILL');
  }

  /** Saves an object. */
  async apply(object: Manifest): Promise<void> {
    const { refused } = await this.judge(object, { saved: true });
    if (refused !== null) throw new Error(`${object.kind} ${object.metadata.name}: ${refused}`);
  }

  /** Defines a kind of object, and waits until the server knows it. */
  async define(definition: Manifest<{ group: string; versions: { name: string; storage: boolean }[] }>): Promise<void> {
    await this.apply(definition);
    const { group, versions } = definition.spec;
    const path = `/apis/${group}/${versions.find(({ storage }) => storage)?.name}`;
    await this.until(`${definition.metadata.name} is served`, async () => (await this.ask('GET', path)).status === 200);
  }

  /** What the server says when an object is applied to it, with strict validation; nothing is saved. */
  async judge(object: Manifest, { saved = false } = {}): Promise<Verdict> {
    const { apiVersion, kind, metadata } = object;
    const said = `${kind} ${metadata.name}`;
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resource = (await this.resourcesAt(base)).find((one) => one.kind === kind && !one.name.includes('/'));
    if (resource === undefined) return { object: said, refused: `${apiVersion} has no kind ${kind}`, warnings: [] };
    const place = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
    const query = new URLSearchParams({
      fieldManager: 'test',
      fieldValidation: 'Strict',
      ...(saved ? {} : { dryRun: 'All' }),
    });
    const path = `${base}${place}/${resource.name}/${metadata.name}?${query}`;
    const { status, body, warnings } = await this.ask('PATCH', path, JSON.stringify(object));
    return { object: said, refused: status < 300 ? null : String((body as { message?: string }).message), warnings };
  }

  private async resourcesAt(base: string): Promise<Resources['resources']> {
    const known = this.resources.get(base);
    if (known !== undefined) return known;
    const { status, body } = await this.ask('GET', base);
    if (status !== 200) throw new Error(`GET ${base} answered ${status}: ${JSON.stringify(body)}`);
    const { resources } = body as Resources;
    this.resources.set(base, resources);
    return resources;
  }

  private async untilReady(folder: string): Promise<void> {
    await this.until(`kube-apiserver is ready (its log is in ${folder})`, async () => {
      if (this.processes.some(({ exitCode }) => exitCode !== null))
        throw new Error(`it ended; its log is in ${folder}`);
      return (await this.ask('GET', '/readyz').catch(() => ({ status: 503 }))).status === 200;
    });
  }

  private async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + UP_MS; !(await holds()); await delay(AGAIN_MS))
      if (performance.now() > end) throw new Error(`not within ${UP_MS / 1_000} s: ${what}`);
  }

  private async ask(method: string, path: string, body?: string): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/apply-patch+yaml' }),
    };
    // The server signs its own certificate at its first start.
    const ca = readFileSync(this.certificate);
    return new Promise((resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port: this.port, method, path, headers, ca, agent: false },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(parts).toString();
            const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
            const warnings = [answer.headers['warning'] ?? []].flat();
            resolve({ status: answer.statusCode ?? 0, body: isJson ? JSON.parse(text) : text, warnings });
          });
        },
      );
      asked.on('error', reject).end(body);
    });
  }
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Stack } from '../../../tools/lib/stack.js';
import type { Slice, Variant, Watch } from './rounds.js';
import { say } from './settings.js';
import { statementsBetween, statementsSoFar } from './statements.js';

/** What `--profile` writes of a comparison: where the time of the system goes, one slice after its rounds. */
export type Profile = {
  operations: number;
  /** Statements of an operation: how many, and the database's microseconds for one. */
  statements: { collection: string; kind: string; perOperation: number; micros: number }[];
  /** By service: what share of its running time was its own collector's, and the functions that took most. */
  services: Record<string, { collector: number; busiest: { name: string; share: number }[] }>;
};

/** As `Profiler.stop` of the inspector returns it. */
type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
};

const SECONDS = 6;
const BUSIEST = 12;
/** Neither is work of the process. */
const NOT_RUNNING = new Set(['(idle)', '(program)', '(root)']);

/** The environment of a service that can be profiled. */
export const profiled = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });

/** Profiles the services, by the ports of their inspectors, and counts what the database does for them. */
export class Profiler {
  private readonly found: Record<string, Profile> = {};

  constructor(
    private readonly stack: Stack,
    private readonly ports: Readonly<Record<string, number>>,
    private readonly folder: string,
  ) {}

  /** Watches the variant `ours` of each comparison of a scenario. */
  watch(scenario: string): Watch {
    let count = 0;
    return async (variant) => {
      if (variant.name !== 'ours') return;
      count += 1;
      await this.profile(count === 1 ? scenario : `${scenario}-${count}`, variant);
    };
  }

  print(): void {
    for (const [name, { statements, services }] of Object.entries(this.found)) {
      console.log(`\n${name}: statements of an operation`);
      for (const { collection, kind, perOperation, micros } of statements)
        console.log(
          `  ${perOperation.toFixed(2).padStart(6)}  ${String(micros).padStart(7)} us  ${collection} ${kind}`,
        );
      for (const [service, { collector, busiest }] of Object.entries(services)) {
        const most = busiest.slice(0, 4).map((one) => `${one.name} ${percent(one.share)}`);
        console.log(`  ${service.padEnd(10)} garbage collector ${percent(collector)}, ${most.join(', ')}`);
      }
    }
  }

  private async profile(name: string, variant: Variant): Promise<void> {
    say(`profiling ${name}`);
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    const client = await MongoClient.connect(this.stack.mongodbUri);
    try {
      const inspectors = await Promise.all(
        Object.entries(this.ports).map(async ([service, port]) => [service, await Inspector.at(port)] as const),
      );
      for (const [, inspector] of inspectors) await inspector.start();
      const before = await statementsSoFar(client, this.stack);
      const slice: Slice = await variant.slice(SECONDS);
      const after = await statementsSoFar(client, this.stack);
      const services: Profile['services'] = {};
      for (const [service, inspector] of inspectors) {
        const profile = await inspector.stop();
        writeFileSync(join(folder, `${service}.cpuprofile`), JSON.stringify(profile));
        services[service] = summaryOf(profile);
      }
      const statements = perOperation(statementsBetween(before, after), slice.operations);
      const profile = { operations: slice.operations, statements, services };
      this.found[name] = profile;
      writeFileSync(join(folder, 'profile.json'), `${JSON.stringify(profile, null, 2)}\n`);
    } finally {
      await client.close();
    }
  }
}

/** The statements of an operation, those that took most of the database's time first. */
const perOperation = (ran: ReturnType<typeof statementsBetween>, operations: number): Profile['statements'] =>
  ran
    .map(({ count, ...statement }) => ({ ...statement, perOperation: count / operations }))
    .filter((one) => one.perOperation >= 0.01)
    .sort((one, other) => other.perOperation * other.micros - one.perOperation * one.micros);

const summaryOf = ({ nodes, samples, timeDeltas }: CpuProfile): Profile['services'][string] => {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [at, sample] of samples.entries()) {
    const name = names.get(sample) ?? '';
    if (!NOT_RUNNING.has(name)) times.set(name, (times.get(name) ?? 0) + (timeDeltas[at] ?? 0));
  }
  const running = [...times.values()].reduce((sum, time) => sum + time, 0);
  const busiest = [...times]
    .map(([name, time]) => ({ name, share: time / running }))
    .sort((one, other) => other.share - one.share)
    .slice(0, BUSIEST);
  return { collector: (times.get(COLLECTOR) ?? 0) / running, busiest };
};

const COLLECTOR = '(garbage collector)';
const nameOf = ({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string =>
  functionName === '' ? `${url.split('/').at(-1)}:${lineNumber + 1}` : functionName;
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** The inspector of a running Node process. */
class Inspector {
  private last = 0;

  private constructor(private readonly socket: WebSocket) {}

  static async at(port: number): Promise<Inspector> {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
    if (target === undefined) throw new Error(`nothing can be profiled at port ${port}`);
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error(`the inspector at port ${port} refuses the connection`));
    });
    return new Inspector(socket);
  }

  async start(): Promise<void> {
    await this.call('Profiler.enable');
    await this.call('Profiler.start');
  }

  async stop(): Promise<CpuProfile> {
    const { profile } = (await this.call('Profiler.stop')) as { profile: CpuProfile };
    this.socket.close();
    return profile;
  }

  private call(method: string): Promise<unknown> {
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      const read = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: { message: string } };
        if (message.id !== id) return;
        this.socket.removeEventListener('message', read);
        if (message.error) reject(new Error(`${method}: ${message.error.message}`));
        else resolve(message.result);
      };
      this.socket.addEventListener('message', read);
      this.socket.send(JSON.stringify({ id, method }));
    });
  }
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectNats } from '@nats-io/transport-node';
import { apiOf, declareTopology } from '../bus/topology.js';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (up: boolean) => {
      socket.destroy();
      resolve(up);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** A test's own nats-server with JetStream, which can be killed, restarted, frozen and thawed. */
export class TestNats {
  private process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly binary: string,
  ) {}

  static async start(): Promise<TestNats> {
    const binary = process.env['CDS_TEST_NATS_BIN'];
    if (binary === undefined) throw new Error('CDS_TEST_NATS_BIN is not set: run the tests with `npm test`');
    const server = new TestNats(await freePort(), await mkdtemp(join(tmpdir(), 'cds-nats-')), binary);
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.process = spawn(this.binary, ['-a', '127.0.0.1', '-p', String(this.port), '-js', '-sd', this.folder], {
      stdio: 'ignore',
    });
    while (!(await answers(this.port))) await delay(10);
  }

  /** Declares every stream and durable once, as `bus-admin` does continuously. */
  async declare(): Promise<void> {
    const nats = await connectNats({ servers: this.url });
    await declareTopology(await apiOf(nats), 1);
    await nats.close();
  }

  /** Kills the server at once, like a crash. */
  async kill(): Promise<void> {
    const ended = this.process === undefined ? undefined : once(this.process, 'exit');
    this.process?.kill('SIGKILL');
    await ended;
  }

  async wipe(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Suspends the process and returns once it is suspended; on a busy machine the signal takes a while. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
    const { pid } = this.process ?? {};
    while (pid !== undefined && !this.stateOf(pid).startsWith('T'));
  }

  private stateOf(pid: number): string {
    return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

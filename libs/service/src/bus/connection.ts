import { AuthorizationError, connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { counterOf, readingOf } from '../telemetry/metrics.js';

const disconnects = counterOf('cds_bus_disconnects_total');

/** `url` may name several servers of a cluster, with commas between them. */
type BusConfig = { url: string; user: string; password: string };

/** The server does not say whether it is the user or the password. */
const refused = (user: string): Error =>
  new Error(
    `CDS_NATS_USER=${user}: the bus answers "Authorization Violation"; set it and CDS_NATS_PASSWORD to a user and a password that nats-server knows.`,
  );

/** One connection to NATS, which reconnects forever. A permission error fails the process only while it starts. */
export class BusConnection {
  up = true;
  private readonly downListeners: (() => void)[] = [];
  private bootError: Error | undefined;

  private constructor(
    readonly nats: NatsConnection,
    readonly service: string,
    private readonly log: Logger,
  ) {
    readingOf('cds_bus_connected', () => (this.up ? 1 : 0));
    void this.watch();
  }

  static async open(service: string, config: BusConfig, log: Logger): Promise<BusConnection> {
    const nats = await connect({
      servers: config.url.split(','),
      user: config.user,
      pass: config.password,
      name: service,
      inboxPrefix: `_INBOX_${service}`,
      waitOnFirstConnect: true,
      reconnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      reconnectJitter: 100,
      pingInterval: 2_000,
      maxPingOut: 2,
      timeout: 5_000,
    }).catch((error: unknown) => {
      throw error instanceof AuthorizationError ? refused(config.user) : error;
    });
    return new BusConnection(nats, service, log);
  }

  /** Called each time the connection is lost, before anything is retried. */
  onDown(listener: () => void): void {
    this.downListeners.push(listener);
  }

  /** Waits until the server has confirmed every subscription made so far; throws if it refused one. */
  async confirmSubscriptions(): Promise<void> {
    await this.nats.flush();
    await this.nats.flush();
    if (this.bootError !== undefined) throw this.bootError;
  }

  get alive(): boolean {
    return !this.nats.isClosed();
  }

  async close(): Promise<void> {
    if (this.nats.isClosed()) return;
    if (this.up) await this.nats.flush().catch(() => undefined);
    await this.nats.close();
  }

  private async watch(): Promise<void> {
    for await (const status of this.nats.status()) {
      switch (status.type) {
        case 'disconnect':
        case 'staleConnection':
          if (this.up) {
            disconnects.add(1);
            this.log.warn({ status: status.type }, 'the bus connection is lost');
          }
          this.up = false;
          for (const listener of this.downListeners) listener();
          break;
        case 'reconnect':
          this.up = true;
          this.log.info('the bus connection is restored');
          break;
        case 'error':
          this.bootError ??= status.error;
          this.log.error({ err: status.error }, 'the bus reported an error');
          break;
        default:
          break;
      }
    }
    this.up = false;
  }
}

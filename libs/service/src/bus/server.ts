import type { Msg, Subscription } from '@nats-io/transport-node';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { counterOf } from '../telemetry/metrics.js';
import type { BusConnection } from './connection.js';

/** How many requests run at once, and how many more may queue, before callers get unavailable. */
const RUNNING = 200;
const WAITING = 2_000;

const refused = counterOf('cds_requests_refused_total');

type BusyReply = () => Uint8Array;

/**
 * Nest's transport strategy over our own connection (docs/reliability.md#requests-between-services). It subscribes to
 * each subject in the service's queue group, limits concurrency, and sends the replies of one turn of the event loop
 * together. A stop drains each subscription and waits for the handlers before anything closes.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  private subscriptions: Subscription[] = [];
  private readonly queued: (() => void)[] = [];
  private active = 0;
  private replies: { message: Msg; data: Uint8Array }[] = [];
  private idle: (() => void) | undefined;

  constructor(
    private readonly connection: BusConnection,
    private readonly busy: BusyReply,
  ) {
    super();
  }

  get running(): number {
    return this.active;
  }

  listen(done: (error?: unknown) => void): void {
    this.join();
    this.connection.confirmSubscriptions().then(() => done(), done);
  }

  join(): void {
    if (this.subscriptions.length > 0) return;
    for (const [subject, handler] of this.messageHandlers) {
      const answer = async (data: Uint8Array): Promise<Uint8Array> =>
        (await lastValueFrom(this.transformToObservable(await handler(data)))) as Uint8Array;
      this.subscriptions.push(
        this.connection.nats.subscribe(subject, {
          queue: this.connection.service,
          callback: (error, message) => {
            if (error === null) void this.take(message, answer);
          },
        }),
      );
    }
  }

  /** Leaves the queue group so that other replicas answer; requests already received are still answered. */
  async leave(): Promise<void> {
    const left = this.subscriptions;
    this.subscriptions = [];
    await Promise.allSettled(left.map((subscription) => subscription.drain()));
  }

  /** Stops accepting requests and answers those it has: drain, wait for the handlers, flush. */
  async close(): Promise<void> {
    await this.leave();
    if (this.active > 0) await new Promise<void>((resolve) => (this.idle = resolve));
    this.sendReplies();
    if (this.connection.up) await this.connection.nats.flush().catch(() => undefined);
  }

  on(): void {
    throw new Error('the bus strategy has no events of its own; events travel over JetStream');
  }

  unwrap<T>(): T {
    return this.connection.nats as T;
  }

  private async take(message: Msg, answer: (data: Uint8Array) => Promise<Uint8Array>): Promise<void> {
    if (this.active >= RUNNING) {
      if (this.queued.length >= WAITING) {
        refused.add(1);
        return this.reply(message, this.busy());
      }
      await new Promise<void>((resolve) => this.queued.push(resolve));
    }
    this.active += 1;
    try {
      this.reply(message, await answer(message.data));
    } finally {
      this.active -= 1;
      this.queued.shift()?.();
      if (this.active === 0) this.idle?.();
    }
  }

  private reply(message: Msg, data: Uint8Array): void {
    this.replies.push({ message, data });
    if (this.replies.length === 1) setImmediate(() => this.sendReplies());
  }

  private sendReplies(): void {
    const batch = this.replies;
    this.replies = [];
    for (const { message, data } of batch) {
      try {
        message.respond(data);
      } catch {
        // The connection is closed: the caller times out, which correctly means "unknown".
      }
    }
  }
}

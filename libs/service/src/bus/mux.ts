import { answersOf, CALLS, type ServiceName, unavailable } from '@cds/contracts';
import type { Msg } from '@nats-io/transport-node';
import type { BusConnection } from './connection.js';

/** Why a call has no reply. `nobody` reached no one; the other two mean "unknown" (reliability 1, rule 3). */
export type NoReply = 'nobody' | 'timeout' | 'lost';

export class NoReplyError extends Error {
  constructor(readonly why: NoReply) {
    super(`no reply: ${why}`);
    this.name = 'NoReplyError';
  }
}

type Waiting = { reply: string; resolve: (data: Uint8Array) => void; reject: (error: Error) => void; until: number };

/** How often deadlines are looked at: one timer for all calls costs less than one each. */
const TICK_MS = 25;

/**
 * Request and reply over one wildcard inbox per callee: a map of waiting calls, one coarse timer, and publishes of one
 * turn of the event loop sent together (performance 2, rule 2). A call takes its answer from its callee's inbox alone:
 * whoever sees one reply subject could guess the others (ADR 0008).
 */
export class RequestMux {
  private readonly waiting = new Map<string, Waiting>();
  private readonly caller: ServiceName;
  /** Tells this connection's calls from those of the service's other replicas. */
  private readonly own: string;
  private next = 0;
  private queued: { subject: string; data: Uint8Array; reply: string }[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly connection: BusConnection) {
    this.caller = connection.service as ServiceName;
    this.own = `${process.pid.toString(36)}${Math.floor(performance.now()).toString(36)}${Math.random().toString(36).slice(2, 10)}`;
    for (const callee of CALLS[this.caller])
      connection.nats.subscribe(`${answersOf(this.caller, callee)}.${this.own}.*`, {
        callback: (error, message) => {
          if (error === null) this.receive(message);
        },
      });
    connection.onDown(() => this.failAll());
  }

  /** Asks one service and waits at most `timeoutMs`; rejects with NoReplyError, or at once while the bus is away. */
  request(callee: ServiceName, subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    if (!this.connection.up)
      return Promise.reject(unavailable('The service is restarting its message bus. Try again in a moment.', 1));

    const token = (this.next++).toString(36);
    const reply = `${answersOf(this.caller, callee)}.${this.own}.${token}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(token, { reply, resolve, reject, until: performance.now() + timeoutMs });
      this.timer ??= setInterval(() => this.expire(), TICK_MS);
      this.enqueue(subject, data, reply);
    });
  }

  private enqueue(subject: string, data: Uint8Array, reply: string): void {
    this.queued.push({ subject, data, reply });
    if (this.queued.length > 1) return;
    setImmediate(() => {
      const batch = this.queued;
      this.queued = [];
      for (const one of batch) {
        try {
          this.connection.nats.publish(one.subject, one.data, { reply: one.reply });
        } catch {
          this.settle(tokenOf(one.reply))?.reject(new NoReplyError('lost'));
        }
      }
    });
  }

  private receive(message: Msg): void {
    const token = tokenOf(message.subject);
    const call = this.waiting.get(token);
    if (call?.reply !== message.subject) return;
    this.settle(token);
    if (message.data.length === 0 && message.headers?.code === 503) call.reject(new NoReplyError('nobody'));
    else call.resolve(message.data);
  }

  private settle(token: string): Waiting | undefined {
    const call = this.waiting.get(token);
    this.waiting.delete(token);
    if (this.waiting.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    return call;
  }

  private expire(): void {
    const now = performance.now();
    for (const [token, call] of this.waiting) {
      if (call.until <= now) this.settle(token)?.reject(new NoReplyError('timeout'));
    }
  }

  private failAll(): void {
    for (const token of [...this.waiting.keys()]) this.settle(token)?.reject(new NoReplyError('lost'));
  }
}

const tokenOf = (reply: string): string => reply.slice(reply.lastIndexOf('.') + 1);

import { acksOf, answersOf, CALLS, type ServiceName, unavailable } from '@cds/contracts';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import type { BusConnection } from './connection.js';

/** Why a call has no reply. Only after `no_responder` is the outcome known (docs/reliability.md#rules, rule 3). */
type NoReply = 'no_responder' | 'timeout' | 'lost';

export class NoReplyError extends Error {
  constructor(readonly why: NoReply) {
    super(`no reply: ${why}`);
    this.name = 'NoReplyError';
  }
}

type Pending = { reply: string; resolve: (data: Uint8Array) => void; reject: (error: Error) => void; until: number };

type Queued = { subject: string; data: Uint8Array; reply: string; headers?: MsgHdrs };

/** How often deadlines are checked. One timer for all calls is cheaper than one each. */
const TICK_MS = 25;

/**
 * Request and reply over one wildcard inbox per callee, and one for JetStream, with one coarse timer for all. Requests
 * of one turn of the event loop are published together (docs/performance.md#reads, rule 2). A call accepts a reply only
 * from its callee's inbox, because whoever sees one reply subject could guess the others (ADR 0008).
 */
export class RequestMux {
  private readonly waiting = new Map<string, Pending>();
  private readonly caller: ServiceName;
  /** Distinguishes this connection's calls from those of the service's other replicas. */
  private readonly own: string;
  private next = 0;
  private queued: Queued[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly connection: BusConnection) {
    this.caller = connection.service as ServiceName;
    this.own = `${process.pid.toString(36)}${Math.floor(performance.now()).toString(36)}${Math.random().toString(36).slice(2, 10)}`;
    for (const from of [...CALLS[this.caller].map((callee) => answersOf(this.caller, callee)), acksOf(this.caller)])
      connection.nats.subscribe(`${from}.${this.own}.*`, {
        callback: (error, message) => {
          if (error === null) this.receive(message);
        },
      });
    connection.onDown(() => this.failAll());
  }

  /** Sends a request and waits at most `timeoutMs`. Rejects with NoReplyError, or at once while the bus is down. */
  request(callee: ServiceName, subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return this.send(answersOf(this.caller, callee), { subject, data }, timeoutMs);
  }

  /** Publishes to a stream, and returns its acknowledgement as `request` does a reply. */
  acknowledged(subject: string, data: Uint8Array, headers: MsgHdrs, timeoutMs: number): Promise<Uint8Array> {
    return this.send(acksOf(this.caller), { subject, data, headers }, timeoutMs);
  }

  private send(inbox: string, sent: Omit<Queued, 'reply'>, timeoutMs: number): Promise<Uint8Array> {
    if (!this.connection.up)
      return Promise.reject(
        unavailable(
          'The message bus is unavailable. Retry in a moment; retry a write with the same Idempotency-Key.',
          1,
        ),
      );

    const token = (this.next++).toString(36);
    const reply = `${inbox}.${this.own}.${token}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(token, { reply, resolve, reject, until: performance.now() + timeoutMs });
      this.timer ??= setInterval(() => this.expire(), TICK_MS);
      this.enqueue({ ...sent, reply });
    });
  }

  private enqueue(one: Queued): void {
    this.queued.push(one);
    if (this.queued.length > 1) return;
    setImmediate(() => {
      const batch = this.queued;
      this.queued = [];
      for (const one of batch) {
        try {
          this.connection.nats.publish(one.subject, one.data, one);
        } catch {
          this.finish(tokenOf(one.reply))?.reject(new NoReplyError('lost'));
        }
      }
    });
  }

  private receive(message: Msg): void {
    const token = tokenOf(message.subject);
    const call = this.waiting.get(token);
    if (call?.reply !== message.subject) return;
    this.finish(token);
    if (message.data.length === 0 && message.headers?.code === 503) call.reject(new NoReplyError('no_responder'));
    else call.resolve(message.data);
  }

  private finish(token: string): Pending | undefined {
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
      if (call.until <= now) this.finish(token)?.reject(new NoReplyError('timeout'));
    }
  }

  private failAll(): void {
    for (const token of [...this.waiting.keys()]) this.finish(token)?.reject(new NoReplyError('lost'));
  }
}

const tokenOf = (reply: string): string => reply.slice(reply.lastIndexOf('.') + 1);

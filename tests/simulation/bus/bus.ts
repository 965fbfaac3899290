import { WINDOWS } from '@cds/contracts';
import { type Actor, anActor, type Scheduler } from '../platform/scheduler.js';

export type Carriage = { latencyMs: () => number; lost: () => boolean; doubled: () => boolean };

type Message = { subject: string; data: Uint8Array; reply: string | undefined };
type Published = { reply?: string; headers?: { get: (name: string) => string } };
type Delivered = { data: Uint8Array; subject: string; headers?: { code: number }; respond: (data: Uint8Array) => void };
type Callback = (error: null, message: Delivered) => void;
type Subscription = { subject: string; queue: string | undefined; actor: Actor; callback: Callback };

export type Fact = { id: string; subject: string; payload: unknown };
/** How a replica publishes events: each id is kept once, and acknowledged unless the reply is lost. */
export type StreamClient = { keep: (id: string, subject: string, data: Uint8Array) => Promise<void> };

const NOTHING = new Uint8Array(0);
const ACK_MS = 5_000;
const STREAMS = anActor('streams');

/** Core NATS between the replicas: queue groups, no responders, and messages that are lost, late or doubled. */
export class Bus {
  readonly facts: Fact[] = [];
  private readonly kept = new Set<string>();
  private subscriptions: Subscription[] = [];
  /** The stream of windows, and when it is there again; each generation begins with nothing. */
  private windows = { name: 'WINDOWS_0', seq: 0, totals: new Map<string, number>(), from: 0 };
  private readonly lostConnection: (() => void)[] = [];

  constructor(
    readonly scheduler: Scheduler,
    private readonly carriage: Carriage,
  ) {}

  connect(actor: Actor, service: string) {
    return {
      service,
      up: true,
      alive: true,
      onDown: (listener: () => void) => void this.lostConnection.push(listener),
      nats: {
        keep: (id: string, subject: string, data: Uint8Array) => this.keep(actor, id, subject, data),
        publish: (subject: string, data: Uint8Array, options?: Published) => {
          const increment = options?.headers?.get('Nats-Incr');
          if (increment === undefined) this.publish({ subject, data, reply: options?.reply });
          else this.increment({ subject, data, reply: options?.reply }, Number(increment));
        },
        subscribe: (subject: string, options: { queue?: string; callback: Callback }) => {
          const one = { subject, queue: options.queue, actor, callback: options.callback };
          this.subscriptions.push(one);
          return { drain: async () => this.leave(one) };
        },
      },
    };
  }

  /** What a dead replica had subscribed to; until then its share of the messages goes nowhere. */
  forget(actor: Actor): void {
    this.subscriptions = this.subscriptions.filter((one) => one.actor !== actor);
  }

  /** Loses the stream of windows until `bus-admin` has made the next; whether the connections notice is chance. */
  loseWindows(awayMs: number, noticed: boolean): void {
    const from = this.scheduler.now + awayMs;
    this.windows = {
      name: `WINDOWS_${Math.floor(from / 1_000) % WINDOWS.names.length}`,
      seq: 0,
      totals: new Map(),
      from,
    };
    if (noticed) for (const listener of this.lostConnection) listener();
  }

  private increment({ subject, reply }: Message, by: number): void {
    const { scheduler, carriage } = this;
    if (carriage.lost()) return;
    scheduler.after(carriage.latencyMs(), STREAMS, `${subject} counts`, () => {
      const { windows } = this;
      if (reply === undefined) return;
      if (scheduler.now < windows.from) {
        this.carry({ subject: reply, data: NOTHING, reply: undefined }, { code: 503 });
        return;
      }
      windows.seq += 1;
      const total = (windows.totals.get(subject) ?? 0) + by;
      windows.totals.set(subject, total);
      const ack = { stream: windows.name, seq: windows.seq, val: String(total) };
      this.carry({ subject: reply, data: Buffer.from(JSON.stringify(ack)), reply: undefined });
    });
  }

  private keep(actor: Actor, id: string, subject: string, data: Uint8Array): Promise<void> {
    const { scheduler, carriage } = this;
    return new Promise((resolve, reject) => {
      scheduler.after(ACK_MS, actor, '', () => reject(new Error('no acknowledgement')));
      if (carriage.lost()) return;
      scheduler.after(carriage.latencyMs(), STREAMS, `${subject} is kept`, () => {
        if (!this.kept.has(id)) this.facts.push({ id, subject, payload: JSON.parse(Buffer.from(data).toString()) });
        this.kept.add(id);
        if (!carriage.lost()) scheduler.after(carriage.latencyMs(), actor, 'a fact is acknowledged', resolve);
      });
    });
  }

  private leave(left: Subscription): void {
    this.subscriptions = this.subscriptions.filter((one) => one !== left);
  }

  private publish(message: Message): void {
    const heard = this.subscriptions.filter((one) => matches(one.subject, message.subject));
    if (heard.length === 0) {
      if (message.reply !== undefined)
        this.carry({ subject: message.reply, data: NOTHING, reply: undefined }, { code: 503 });
      return;
    }
    this.carry(message);
  }

  private carry(message: Message, headers?: { code: number }): void {
    const { scheduler, carriage } = this;
    const times = carriage.lost() ? 0 : carriage.doubled() ? 2 : 1;
    if (times === 0) scheduler.note(() => `the bus loses ${message.subject}`);
    for (let time = 0; time < times; time += 1) {
      const to = this.addressee(message.subject);
      if (to === undefined) continue;
      const label = message.subject.startsWith('_INBOX') ? 'a reply comes' : `${message.subject} comes`;
      scheduler.after(carriage.latencyMs(), to.actor, label, () => {
        const respond = (data: Uint8Array): void => {
          if (message.reply !== undefined) this.publish({ subject: message.reply, data, reply: undefined });
        };
        to.callback(null, { data: message.data, subject: message.subject, ...(headers && { headers }), respond });
      });
    }
  }

  private addressee(subject: string): Subscription | undefined {
    const heard = this.subscriptions.filter((one) => matches(one.subject, subject));
    return heard.length < 2 ? heard[0] : this.scheduler.random.one(heard);
  }
}

const matches = (pattern: string, subject: string): boolean =>
  pattern.endsWith('.*') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject;

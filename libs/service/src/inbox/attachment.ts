import { setTimeout as delay } from 'node:timers/promises';
import { type Consumer, type ConsumerInfo, type ConsumerMessages, type JsMsg, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { API_TIMEOUT_MS, apiOf, isMissing } from '../bus/topology.js';

/** How often the pull is checked while attached, and the durable while not. */
const CHECK_ATTACHED_MS = 1_000;
const CHECK_DETACHED_MS = 250;
/** How often a durable is looked up whose pull is alive. */
const LOOK_UP_MS = 3_000;
/** Without a message or heartbeat for this long, the server no longer knows our pull. */
const SILENT_MS = 3_000;
/** An older check says nothing about now. */
const FRESH_MS = 5_000;
/** One pull: at most so many messages, open for so long, with heartbeats while there are none. */
const PULL = { max_messages: 64, expires: 10_000, idle_heartbeat: 1_000 };

type Run = { heardAt: number; busy: boolean; ended: boolean; batch: ConsumerMessages | undefined };

/**
 * Keeps a process attached to one durable. Some losses go unnoticed, so a pull counts as alive only while messages or
 * heartbeats come; otherwise, and every three seconds, it looks the durable up.
 */
export class Attachment {
  private run: Run | undefined;
  private attached = false;
  private seenAt = Number.NEGATIVE_INFINITY;
  private loop: Promise<void> | undefined;
  private pause = new AbortController();
  private stopped = false;

  constructor(
    private readonly nats: NatsConnection,
    readonly stream: string,
    readonly durable: string,
    private readonly handle: (messages: readonly JsMsg[]) => Promise<void>,
    private readonly log: Logger,
  ) {}

  /** Whether events arrive: the durable was seen in the last seconds, and a pull is open. */
  get isAttached(): boolean {
    return this.attached && performance.now() - this.seenAt < FRESH_MS;
  }

  start(): void {
    this.loop = this.keep();
  }

  /** Stops taking messages; those already received are returned to the stream. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.drop();
    this.pause.abort();
    await this.loop;
  }

  /** The durable's state across all replicas that share it; null while it cannot be read. */
  async progress(): Promise<ConsumerInfo | null> {
    try {
      return await (await apiOf(this.nats)).consumers.info(this.stream, this.durable);
    } catch {
      return null;
    }
  }

  private async keep(): Promise<void> {
    while (!this.stopped) {
      await this.check();
      this.pause = new AbortController();
      const pauseMs = this.attached ? CHECK_ATTACHED_MS : CHECK_DETACHED_MS;
      await delay(pauseMs, undefined, { signal: this.pause.signal }).catch(() => undefined);
    }
  }

  private async check(): Promise<void> {
    if (this.reasonToReattach() === null && performance.now() - this.seenAt < LOOK_UP_MS) return;
    try {
      const info = await (await apiOf(this.nats)).consumers.info(this.stream, this.durable);
      this.seenAt = performance.now();
      const reason = this.reasonToReattach();
      if (reason === null || this.stopped) return;
      this.drop();
      this.begin(info);
      this.log.info({ durable: this.durable, reason }, 'attached to the stream');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // Other failures say nothing about the durable: the bus is down or busy, and `isAttached` lapses by itself.
      if (!isMissing(error))
        return this.log.info({ durable: this.durable, reason }, 'the durable could not be checked');
      if (this.attached) this.log.warn({ durable: this.durable, reason }, 'the durable is missing');
      this.drop();
      this.attached = false;
    }
  }

  private reasonToReattach(): string | null {
    const { run } = this;
    if (run === undefined) return 'nothing was attached';
    if (run.ended) return 'the pull ended';
    return !run.busy && performance.now() - run.heardAt > SILENT_MS ? 'the server went silent' : null;
  }

  private begin(info: ConsumerInfo): void {
    const js = jetstream(this.nats, { checkAPI: false, timeout: API_TIMEOUT_MS });
    const run: Run = {
      heardAt: performance.now(),
      busy: false,
      ended: false,
      batch: undefined,
    };
    this.run = run;
    this.attached = true;
    void this.pull(run, js.consumers.getConsumerFromInfo(info));
  }

  private drop(): void {
    const { run } = this;
    this.run = undefined;
    // Not awaited: it ends after the messages it holds, and the next run must not wait for those.
    void run?.batch?.close();
  }

  private async pull(run: Run, consumer: Consumer): Promise<void> {
    try {
      while (this.run === run) {
        run.batch = await consumer.fetch(PULL);
        void this.listen(run, run.batch);
        let together: JsMsg[] = [];
        for await (const message of run.batch) {
          together.push(message);
          if (run.batch.getPending() > 0) continue;
          await this.take(run, together);
          together = [];
        }
        await this.take(run, together);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.debug({ durable: this.durable, reason }, 'a pull ended');
    }
    run.ended = true;
    if (this.run === run) this.pause.abort();
  }

  /** Hands over what arrived while the last messages were handled; if the run has ended, it returns to the stream. */
  private async take(run: Run, messages: readonly JsMsg[]): Promise<void> {
    if (messages.length === 0) return;
    if (this.run !== run) {
      for (const message of messages) message.nak();
      return;
    }
    run.busy = true;
    await this.handle(messages);
    run.busy = false;
    run.heardAt = performance.now();
  }

  private async listen(run: Run, batch: ConsumerMessages): Promise<void> {
    for await (const status of batch.status()) {
      if (status.type === 'heartbeat') run.heardAt = performance.now();
    }
  }
}

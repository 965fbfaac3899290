import { unavailable } from '@cds/contracts';
import { headers } from '@nats-io/transport-node';
import { counterOf } from '../telemetry/metrics.js';
import type { BusConnection } from './connection.js';
import { NoReplyError, type RequestMux } from './mux.js';

const counts = counterOf('cds_window_counts_total');

/** An increment's outcome: the counter's total with it, and the era in which it was acknowledged. */
export type Counted = { total: number; era: number };

const NOTHING = new Uint8Array(0);
const TEXT = new TextDecoder();

/** JetStream's acknowledgement of an increment; `val` is the total as a decimal text. */
type Acknowledged = { stream: string; seq: number; val: string } | { error: { description: string } };

/**
 * Counters of a JetStream stream with `allow_msg_counter` (ADR 0006). Each increment is acknowledged with the exact
 * total. `era` changes whenever counts may have been lost: after a lost connection, an increment without an
 * acknowledgement, another stream, or a sequence that went backwards. Nothing that rests on a total holds beyond its
 * era.
 */
export class Counters {
  era = 0;
  private stream = '';
  private seq = 0;

  constructor(
    connection: BusConnection,
    private readonly mux: RequestMux,
  ) {
    connection.onDown(() => this.doubt());
  }

  /** Adds to a counter. Raises `unavailable` when it is not known whether that was counted. */
  async add(subject: string, by: number, timeoutMs: number): Promise<Counted> {
    try {
      const data = await this.mux.acknowledged(subject, NOTHING, incrementOf(by), timeoutMs);
      const ack = JSON.parse(TEXT.decode(data)) as Acknowledged;
      if ('error' in ack) throw new Error(`the stream of windows refused an increment: ${ack.error.description}`);
      if (ack.stream !== this.stream || ack.seq <= this.seq) {
        this.doubt();
        this.stream = ack.stream;
      }
      this.seq = ack.seq;
      counts.add(1, { outcome: 'counted' });
      return { total: Number(ack.val), era: this.era };
    } catch (error) {
      this.doubt();
      counts.add(1, { outcome: error instanceof NoReplyError ? error.why : 'refused' });
      throw unavailable(
        'The request could not be counted. Retry in a moment; retry a write with the same Idempotency-Key.',
        1,
        error,
      );
    }
  }

  private doubt(): void {
    this.era += 1;
  }
}

const incrementOf = (by: number) => {
  const fields = headers();
  fields.set('Nats-Incr', String(by));
  return fields;
};

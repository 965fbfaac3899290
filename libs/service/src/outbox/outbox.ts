import { randomBytes } from 'node:crypto';
import { type EventName, type EventPayload, eventByName, eventSubject } from '@cds/contracts';
import type { mongo } from 'mongoose';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

/** A fact waiting to be published, written in the transaction of its effect (reliability 3.13). */
export type OutboxRow = {
  _id: string;
  subject: string;
  aggregate: string;
  version: number;
  payload: Record<string, unknown>;
  state: 'new' | 'sent';
  at: Date;
  sent_at: Date | null;
};

/** An event as an operation names it; the shell turns it into a row. */
export type Emitted = { [N in EventName]: { name: N; payload: EventPayload<N> } }[EventName];

/** A UUID version 7: ids of one process rise with time, so a scan by id is a scan by age. */
export const uuid7 = (at: Date): string => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Where facts wait to be published. */
export const OUTBOX = 'outbox';

/** Facts as they wait; `at` is database time of the request. */
export const outboxRows = (events: readonly Emitted[], at: Date): OutboxRow[] =>
  events.map((event) => ({
    _id: uuid7(at),
    subject: eventSubject(eventByName(event.name)),
    aggregate: event.payload.aggregate,
    version: event.payload.version,
    payload: event.payload,
    state: 'new',
    at,
    sent_at: null,
  }));

export class Outbox {
  readonly rows: mongo.Collection<OutboxRow>;
  private readonly listeners: (() => void)[] = [];

  constructor(store: Store) {
    this.rows = store.collection<OutboxRow>({
      name: OUTBOX,
      indexes: [
        { key: { _id: 1, state: 1 }, partialFilterExpression: { state: 'new' } },
        { key: { sent_at: 1 }, expireAfterSeconds: 7 * 86_400, partialFilterExpression: { state: 'sent' } },
      ],
    });
  }

  /** Adds facts to the transaction. `at` is database time of the request. */
  async add(tx: Tx, events: readonly Emitted[], at: Date): Promise<void> {
    if (events.length === 0) return;
    await this.rows.insertMany(outboxRows(events, at), tx.options());
  }

  /** Called after each commit that added facts: the relay of this process wakes at once. */
  notify(): void {
    for (const listener of this.listeners) listener();
  }

  onNotify(listener: () => void): void {
    this.listeners.push(listener);
  }
}

import { type EventName, type EventPayload, eventByName, eventSubject } from '@cds/contracts';
import type { Collection } from '../store/collection.js';
import type { Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';
import { readingOf } from '../telemetry/metrics.js';
import { traceOfEvent } from '../telemetry/spans.js';
import { earliestUuid7, uuid7 } from './uuid7.js';

/** An event to publish, written in the transaction of its effect (docs/reliability.md#events). */
export type OutboxRow = {
  _id: string;
  subject: string;
  aggregate: string;
  version: number;
  payload: Record<string, unknown>;
  state: 'new' | 'sent';
  at: Date;
  /** Null until it is sent, and for good if it is kept. Otherwise the row is gone a day after `at`. */
  sent_at: Date | null;
  kept?: true;
  traceparent?: string;
};

export type Emitted = { [N in EventName]: { name: N; payload: EventPayload<N> } }[EventName];

/** No transaction adds an event older than this, in milliseconds. Used in whole steps, so that the bound stays put. */
const RECENT_MS = 60_000;

export const OUTBOX = 'outbox';

/** Events as outbox rows; `at` is the request's database time. */
export const outboxRows = (events: readonly Emitted[], at: Date): OutboxRow[] => {
  const traceparent = traceOfEvent();
  return events.map((event) => {
    const declaration = eventByName(event.name);
    return {
      _id: uuid7(at),
      subject: eventSubject(declaration),
      aggregate: event.payload.aggregate,
      version: event.payload.version,
      payload: event.payload,
      state: 'new',
      at,
      sent_at: null,
      ...(declaration.kept && { kept: true }),
      ...(traceparent !== undefined && { traceparent }),
    };
  });
};

const COUNTED_MAX = 10_000;

/** How many ids of own rows are remembered until the change stream shows them, usually within milliseconds. */
const MAX_OWN_IDS = 5_000;

export class Outbox {
  readonly rows: Collection<OutboxRow>;
  private readonly listeners: ((rows: readonly OutboxRow[]) => void)[] = [];
  private readonly own = new Set<string>();

  constructor(private readonly store: Store) {
    this.rows = store.collection<OutboxRow>({
      name: OUTBOX,
      indexes: [
        { key: { _id: 1, state: 1 }, partialFilterExpression: { state: 'new' } },
        { key: { 'payload.workspace': 1, _id: 1 } },
        { key: { subject: 1, _id: 1 }, partialFilterExpression: { kept: true } },
        { key: { at: 1 }, expireAfterSeconds: 86_400, partialFilterExpression: { sent_at: { $type: 'date' } } },
      ],
    });
    readingOf('cds_outbox_waiting', () => this.rows.countDocuments({ state: 'new' }, { limit: COUNTED_MAX }));
    readingOf('cds_outbox_oldest_seconds', () => this.oldestSeconds());
  }

  private async oldestSeconds(): Promise<number> {
    const oldest = await this.rows.findOne({ state: 'new' }, { sort: { _id: 1 }, projection: { at: 1 } });
    return oldest === null ? 0 : Math.max(0, (await this.store.about()).getTime() - oldest.at.getTime()) / 1_000;
  }

  /** Adds events to the transaction, and hands them to this process's relay after the commit. `at` is database time. */
  async add(tx: Tx, events: readonly Emitted[], at: Date): Promise<void> {
    if (events.length === 0) return;
    const rows = outboxRows(events, at);
    for (const { _id } of rows) this.own.add(_id);
    for (const id of this.own) {
      if (this.own.size <= MAX_OWN_IDS) break;
      this.own.delete(id);
    }
    await this.rows.insertMany(rows, tx.options());
    tx.committed(() => {
      for (const listener of this.listeners) listener(rows);
    });
  }

  /** How many events were added recently: two equal counts mean that none was added in between. */
  async countOf(workspace: string): Promise<number> {
    const now = (await this.store.about()).getTime();
    const since = new Date(now - RECENT_MS - (now % RECENT_MS));
    return this.rows.countDocuments({ 'payload.workspace': workspace, _id: { $gte: earliestUuid7(since) } });
  }

  onCommitted(listener: (rows: readonly OutboxRow[]) => void): void {
    this.listeners.push(listener);
  }

  /** Whether this process added the row, so that its relay already has it. To be asked once per row. */
  wasAddedHere(id: string): boolean {
    return this.own.delete(id);
  }
}

import { randomBytes } from 'node:crypto';
import { type EventName, type EventPayload, eventByName, eventSubject } from '@cds/contracts';
import type { Collection } from '../store/collection.js';
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

/** What no id made at `at` or later stands before. */
const earliestUuid7 = (at: Date): string => {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
};

/** No transaction adds a fact whose time is older than this, in milliseconds; whole steps, so that the bound stands still. */
const LATELY_MS = 60_000;

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

/** So many ids of own rows are remembered until the change stream has shown them; most stay for milliseconds. */
const OWN_REMEMBERED = 5_000;

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
        { key: { sent_at: 1 }, expireAfterSeconds: 7 * 86_400, partialFilterExpression: { state: 'sent' } },
      ],
    });
  }

  /** Adds facts to the transaction, and hands them to this process's relay once it is committed. `at` is database time. */
  async add(tx: Tx, events: readonly Emitted[], at: Date): Promise<void> {
    if (events.length === 0) return;
    const rows = outboxRows(events, at);
    for (const { _id } of rows) this.own.add(_id);
    for (const id of this.own) {
      if (this.own.size <= OWN_REMEMBERED) break;
      this.own.delete(id);
    }
    await this.rows.insertMany(rows, tx.options());
    tx.committed(() => {
      for (const listener of this.listeners) listener(rows);
    });
  }

  /**
   * How many facts of a workspace were added lately, by whichever replica. It changes with each that is added, so that two
   * equal answers say: nothing was told in between.
   */
  async countOf(workspace: string): Promise<number> {
    const now = (await this.store.about()).getTime();
    const since = new Date(now - LATELY_MS - (now % LATELY_MS));
    return this.rows.countDocuments({ 'payload.workspace': workspace, _id: { $gte: earliestUuid7(since) } });
  }

  /** Names who takes over the facts of each commit of this process. */
  onCommitted(listener: (rows: readonly OutboxRow[]) => void): void {
    this.listeners.push(listener);
  }

  /** Whether this process added the row, asked once: its own relay has it already. */
  wasAddedHere(id: string): boolean {
    return this.own.delete(id);
  }
}

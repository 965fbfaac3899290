import { randomUUID } from 'node:crypto';
import type { MessageKind } from '@cds/contracts';
import { after, type Collection, inOrder, LostRace, type Place, type Store, type Tx } from '@cds/service';
import { type SealKeys, seal, unseal } from '../../keys/seal.js';

/** A message to one address, queued for the mail relay (docs/domain/pages.md#messages). */
export type MessageRow = {
  _id: string;
  kind: MessageKind;
  to: string;
  subject: string;
  text: string;
  /** Sealed: whoever holds a link may act for its reader. Null once it was sent. */
  link: string | null;
  sandbox: boolean;
  created_at: Date;
  sent_at: Date | null;
  /** For an unknown address, so that every address takes the same work. Never listed or sent. */
  blank: boolean;
  /** When the row is dropped: a link that has expired is of no use. Null: kept. */
  drop_at: Date | null;
  /** How often its delivery was begun, and when the next may begin. */
  tries: number;
  due_at: Date;
};

export type Message = {
  kind: MessageKind;
  to: string;
  subject: string;
  text: string;
  link?: string | undefined;
  sandbox?: boolean;
  blank?: boolean;
  dropAt?: Date;
};

const PAGE = 50;

export class Messages {
  readonly rows: Collection<MessageRow>;

  constructor(
    store: Store,
    private readonly keys: SealKeys,
    private readonly queued: (row: MessageRow, link: string | null) => void = () => undefined,
  ) {
    this.rows = store.collection<MessageRow>({
      name: 'messages',
      indexes: [
        { key: { blank: 1, created_at: 1, _id: 1 } },
        { key: { created_at: 1, _id: 1 }, partialFilterExpression: { sent_at: null, blank: false } },
        { key: { due_at: 1 }, partialFilterExpression: { sent_at: null, blank: false } },
        { key: { drop_at: 1 }, expireAfterSeconds: 0 },
      ],
    });
  }

  /** Queues a message in the transaction that causes it. */
  async queue(tx: Tx, message: Message, at: Date): Promise<void> {
    const row = this.rowOf(message, at);
    await this.rows.insertOne(row, tx.options());
    tx.committed(() => this.tell(row, message));
  }

  async add(message: Message, at: Date): Promise<void> {
    const row = this.rowOf(message, at);
    await this.rows.insertOne(row);
    this.tell(row, message);
  }

  linkOf(row: Pick<MessageRow, '_id' | 'link'>): string | null {
    return row.link === null ? null : unseal(this.keys, placeOf(row._id), row.link);
  }

  byId(id: string): Promise<MessageRow | null> {
    return this.rows.findOne({ _id: id, blank: false });
  }

  page(sent: boolean | null, place: Place | null, limit: number): Promise<MessageRow[]> {
    // A bound on `created_at` lets the server consider the index that holds only unsent messages.
    const unsent = { sent_at: null, created_at: { $gte: place?.at ?? new Date(0) } };
    const state = sent === null ? {} : sent ? { sent_at: { $ne: null } } : unsent;
    const filter = { blank: false, ...state, ...after('created_at', place) };
    return this.rows.find(filter as never, { sort: inOrder('created_at'), limit }).toArray();
  }

  /** Notes that a message was sent; raises LostRace when it was noted before. */
  async sent(tx: Tx, id: string, at: Date): Promise<void> {
    const done = await this.rows.updateOne(
      { _id: id, sent_at: null },
      { $set: { sent_at: at, link: null } },
      tx.options(),
    );
    if (done.matchedCount !== 1) throw new LostRace('message');
  }

  due(): Promise<MessageRow[]> {
    return this.rows
      .find({ sent_at: null, blank: false, $expr: { $lte: ['$due_at', '$$NOW'] } })
      .sort({ due_at: 1 })
      .limit(PAGE)
      .toArray();
  }

  /** Takes a due message for one delivery, for `leaseMs`. False when another process has it. */
  async take(row: Pick<MessageRow, '_id' | 'due_at'>, leaseMs: number): Promise<boolean> {
    const taken = await this.rows.updateOne({ _id: row._id, sent_at: null, due_at: row.due_at }, [
      { $set: { due_at: { $add: ['$$NOW', leaseMs] }, tries: { $add: ['$tries', 1] } } },
    ]);
    return taken.matchedCount === 1;
  }

  async delivered(id: string): Promise<void> {
    await this.rows.updateOne({ _id: id, sent_at: null }, [{ $set: { sent_at: '$$NOW', link: null } }]);
  }

  /** Notes when a message that the mail server did not take is tried again. */
  async postpone(id: string, afterMs: number): Promise<void> {
    await this.rows.updateOne({ _id: id, sent_at: null }, [{ $set: { due_at: { $add: ['$$NOW', afterMs] } } }]);
  }

  private rowOf(message: Message, at: Date): MessageRow {
    const id = randomUUID();
    return {
      _id: id,
      kind: message.kind,
      to: message.to,
      subject: message.subject,
      text: message.text,
      link: message.link === undefined ? null : seal(this.keys, placeOf(id), message.link),
      sandbox: message.sandbox ?? false,
      created_at: at,
      sent_at: null,
      blank: message.blank ?? false,
      drop_at: message.dropAt ?? null,
      tries: 0,
      due_at: at,
    };
  }

  private tell(row: MessageRow, { link }: Message): void {
    if (!row.blank) this.queued(row, link ?? null);
  }
}

const placeOf = (id: string): string => `messages/${id}/link`;

import type { mongo } from 'mongoose';
import { Deadline, untilAborted } from '../deadline/deadline.js';
import { inStatementSpan } from '../telemetry/spans.js';

/** Milliseconds of a statement outside any deadline, so that one that is stuck costs a sweep or a relay one turn. */
export const STATEMENT_MS = 8_000;

/** A result, read at once or batch by batch. Each reading queries the database. */
export interface Rows<T> extends AsyncIterable<T> {
  toArray(): Promise<T[]>;
}

export interface Found<T> extends Rows<T> {
  sort(by: mongo.Sort): Found<T>;
  limit(most: number): Found<T>;
}

/** Options of a query; tailing a collection is not supported. */
export type Query = Omit<mongo.FindOptions, 'tailable' | 'awaitData'>;

type Bounds = { maxTimeMS: number; signal: AbortSignal };

/** The deadline of one operation: that of the work around it, or sooner if the operation's options say so. */
const timeOf = (atMostMs: number | undefined): Deadline => {
  const current = Deadline.current() ?? Deadline.in(STATEMENT_MS);
  return atMostMs === undefined ? current : current.atMost(atMostMs);
};

/** What a statement is called in a trace: its operation, and its collection if it has one. */
export type Statement = { operation: string; collection: string };

export const bounded = <R>(
  { operation, collection }: Statement,
  atMostMs: number | undefined,
  work: (bounds: Bounds) => Promise<R>,
): Promise<R> =>
  inStatementSpan(operation, collection, () => {
    const time = timeOf(atMostMs);
    return time.during((signal) => work({ maxTimeMS: Math.max(1, time.remainingMs()), signal }));
  });

type Cursor<R> = Pick<mongo.FindCursor<R>, 'next' | 'readBufferedDocuments' | 'closed' | 'close'>;

export class BoundedRows<R> implements Rows<R> {
  constructor(
    private readonly statement: Statement,
    private readonly atMostMs: number | undefined,
    private readonly open: (bounds: Bounds) => Cursor<R>,
  ) {}

  toArray(): Promise<R[]> {
    const { operation, collection } = this.statement;
    return inStatementSpan(operation, collection, async () => {
      let all: R[] = [];
      for await (const batch of this.batches()) all = all.length === 0 ? batch : all.concat(batch);
      return all;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R, void, void> {
    for await (const batch of this.batches()) yield* batch;
  }

  /** The driver bounds a cursor's first command only. Outside a deadline each batch has its own time. */
  private async *batches(): AsyncGenerator<R[], void, void> {
    const time = timeOf(this.atMostMs);
    const extended = Deadline.current() === undefined && this.atMostMs === undefined;
    let cursor: Cursor<R> | undefined;
    try {
      for (;;) {
        if (extended) time.extend(STATEMENT_MS);
        const first = await time.during((signal) => {
          cursor ??= this.open({ maxTimeMS: Math.max(1, time.remainingMs()), signal });
          return untilAborted(cursor.next(), signal);
        });
        if (first === null || cursor === undefined) return;
        yield [first, ...cursor.readBufferedDocuments()];
      }
    } finally {
      if (cursor !== undefined && !cursor.closed) void cursor.close().catch(() => undefined);
    }
  }
}

export class BoundedQuery<T extends mongo.Document>
  extends BoundedRows<mongo.WithId<T>>
  implements Found<mongo.WithId<T>>
{
  constructor(
    private readonly rows: mongo.Collection<T>,
    private readonly filter: mongo.Filter<T>,
    private readonly options: Query,
  ) {
    super({ operation: 'find', collection: rows.collectionName }, options.maxTimeMS, (bounds) =>
      rows.find(filter, { ...options, ...bounds }),
    );
  }

  sort(by: mongo.Sort): Found<mongo.WithId<T>> {
    return new BoundedQuery(this.rows, this.filter, { ...this.options, sort: by });
  }

  limit(most: number): Found<mongo.WithId<T>> {
    return new BoundedQuery(this.rows, this.filter, { ...this.options, limit: most });
  }
}

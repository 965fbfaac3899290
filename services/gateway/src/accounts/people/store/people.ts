import type { OperatorRole } from '@cds/contracts';
import type { Collection, Store, Tx } from '@cds/service';

/** A person: whoever reads the mail of one address. The sign-in module reads these rows too, by these names. */
export type PersonRow = {
  _id: string;
  email: string;
  name: string;
  email_verified: boolean;
  created_at: Date;
  updated_at: Date;
};

/** A new person. Only a link sent to the address signs it in, so no address counts as unproven. */
export const newPerson = (id: string, email: string, name: string, at: Date): PersonRow => ({
  _id: id,
  email,
  name,
  email_verified: true,
  created_at: at,
  updated_at: at,
});

/** A person of the operator's team (docs/domain/operators.md#operators). */
export type OperatorPersonRow = PersonRow & {
  role: OperatorRole;
  created_by: string;
  /** Who added them, as the audit names them; absent in what a gateway of an earlier version stored. */
  added_by?: string;
  removed_at: Date | null;
  /** When a removed person was taken back: older sessions stay ended. */
  back_at?: Date;
  /** Set by every removal of a lead, so that no two of them run at once. */
  locked_at?: Date;
  /** Counts the writes that the person made; absent before the first. */
  writes?: number;
};

/** People by their address: of brands, or of the operator's team, in a collection each. */
export class People<Row extends PersonRow = PersonRow> {
  readonly rows: Collection<Row>;

  constructor(
    store: Store,
    readonly name: string,
  ) {
    this.rows = store.collection<Row>({ name, indexes: [{ key: { email: 1 }, unique: true }] });
  }

  byId(id: string): Promise<Row | null> {
    return this.rows.findOne({ _id: id } as never) as Promise<Row | null>;
  }

  byEmail(email: string): Promise<Row | null> {
    return this.rows.findOne({ email } as never) as Promise<Row | null>;
  }

  all(ids: readonly string[]): Promise<Row[]> {
    return this.rows.find({ _id: { $in: [...ids] } } as never).toArray() as Promise<Row[]>;
  }

  /** Inserts a person in a transaction. Raises a duplicate for a known address. */
  async insert(tx: Tx, row: Row): Promise<void> {
    await this.rows.insertOne(row as never, tx.options());
  }

  inTx(tx: Tx, email: string): Promise<Row | null> {
    return this.rows.findOne({ email } as never, tx.options()) as Promise<Row | null>;
  }
}

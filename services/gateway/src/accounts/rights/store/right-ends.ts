import { randomUUID } from 'node:crypto';
import { AppError, unavailable } from '@cds/contracts';
import { type Client, type Collection, type Store, stepping, systemContext, type Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import type { Workspaces } from '../../brands/store/workspaces.js';
import type { Keys } from '../../keys/store/keys.js';
import { hashOf } from '../../oauth/token-format.js';
import type { RightEnd } from '../domain/rights.js';

/** An end of a right that approvals under way may not know yet. */
export type RightEndRow = Added & { _id: string; at: Date };

/** An end, with the hashes of the tokens that ended with it: all that its client can name when it asks again. */
type Added = RightEnd & { tokens?: readonly string[] };

const PAGE = 100;

/**
 * Ended rights that approvals under way may depend on (docs/reliability.md#ended-rights): a row of the transaction that
 * decides it, settled before the answer or by a sweep.
 */
export class RightEnds {
  private readonly rows: Collection<RightEndRow>;

  constructor(
    private readonly store: Store,
    private readonly keys: Pick<Keys, 'documentOf' | 'documentsIn' | 'idsIn' | 'own'>,
    private readonly workspaces: Pick<Workspaces, 'byId' | 'ofBrand'>,
    private readonly billing: Client<'gate_raise'>,
  ) {
    this.rows = store.collection<RightEndRow>({
      name: 'right_ends',
      indexes: [{ key: { right: 1 } }, { key: { tokens: 1 } }],
    });
  }

  /** Adds ends to the transaction that decides them. The caller settles them after the commit. */
  async add(tx: Tx, ends: readonly Added[], at: Date): Promise<void> {
    const rows = ends.map((end): RightEndRow => ({ _id: randomUUID(), ...end, at }));
    if (rows.length > 0) await this.rows.insertMany(rows, tx.options());
  }

  /**
   * Returns once no approval in progress can still be signed on these rights: before the answer, and on a replay.
   * Raises unavailable; the rights have ended all the same, and the sweep continues.
   */
  settle(rights: readonly string[]): Promise<void> {
    return this.settleAll({ right: { $in: [...rights] } });
  }

  /** The same for the client that a token was of, for one that gives itself up again: its token is gone by then. */
  settleClientOf(token: string): Promise<void> {
    return this.settleAll({ tokens: hashOf(token) });
  }

  async settleIn(workspaces: readonly string[]): Promise<void> {
    const rows = await Promise.all(workspaces.map((ws) => this.workspaces.byId(ws)));
    const brands = rows.flatMap((row) => (row === null ? [] : [row.brand_id]));
    const keys = (await Promise.all(workspaces.map((ws) => this.keys.idsIn(ws)))).flat();
    const of = [
      { 'of.ws': { $in: [...workspaces] } },
      { 'of.key_id': { $in: keys } },
      { 'of.brand_id': { $in: brands } },
    ];
    await this.settleAll({ $or: of });
  }

  private async settleAll(which: mongo.Filter<RightEndRow>): Promise<void> {
    const pending = await this.rows.find(which).toArray();
    try {
      for (const row of pending) await this.apply(row);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') throw unsettled();
      throw error;
    }
  }

  async apply({ _id, right, below, of }: RightEndRow): Promise<void> {
    const now = await this.store.now();
    for (const { ws: workspace, key_id } of await this.authoritiesOf(of)) {
      const ctx = systemContext({ workspace, sandbox: false, now, networkNow: now });
      await this.billing.gate_raise(ctx, { workspace, key_id, ended: { [right]: below } });
    }
    await this.rows.deleteOne({ _id });
  }

  /** A page of ends that are not settled yet, the oldest first. */
  pending(without: readonly string[]): Promise<RightEndRow[]> {
    return this.rows.find(stepping(without)).sort({ at: 1 }).limit(PAGE).toArray();
  }

  /** The keys in whose authorities the approvals are. They are looked up after the commit, so none is missed. */
  private async authoritiesOf(of: RightEnd['of']): Promise<{ ws: string; key_id: string }[]> {
    if ('key_id' in of) return this.keys.documentOf(of.key_id);
    if ('ws' in of) return this.keys.documentsIn(of.ws);
    const workspaces = await this.workspaces.ofBrand(of.brand_id);
    const own = await Promise.all(workspaces.map(({ _id }) => this.keys.own(_id)));
    return own.filter((key) => key !== null);
  }
}

const unsettled = (): AppError =>
  unavailable(
    'It has ended and is refused from now on, but it is not known yet whether an approval that was under way got signed. Retry with the same Idempotency-Key: a success says that none will be signed any more.',
    2,
  );

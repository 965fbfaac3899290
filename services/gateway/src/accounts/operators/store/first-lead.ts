import { type Collection, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';

/** The one-time link of the first lead (docs/domain/operators.md#operators). */
type FirstLeadRow = { _id: 'first_lead'; token: string; offered_at: Date; used_at: Date | null };

const OFFER_MS = 24 * 3_600_000;

const open = (token: string) => ({
  _id: 'first_lead' as const,
  token,
  used_at: null,
  $expr: { $gte: ['$offered_at', { $subtract: ['$$NOW', OFFER_MS] }] },
});

export class FirstLead {
  private readonly rows: Collection<FirstLeadRow>;

  constructor(store: Store) {
    this.rows = store.collection<FirstLeadRow>({ name: 'first_lead' });
  }

  /** Offers a link by its hash; false when another process offered one, or somebody used it. */
  async offer(token: string): Promise<boolean> {
    const free = {
      $and: [
        { $eq: [{ $ifNull: ['$used_at', null] }, null] },
        { $lt: [{ $ifNull: ['$offered_at', new Date(0)] }, { $subtract: ['$$NOW', OFFER_MS] }] },
      ],
    };
    const statement = () =>
      this.rows.findOneAndUpdate(
        { _id: 'first_lead' },
        [
          {
            $set: {
              token: { $cond: [free, token, '$token'] },
              used_at: { $ifNull: ['$used_at', null] },
              offered_at: { $cond: [free, '$$NOW', '$offered_at'] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      );
    const row = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement(); // Two first starts raced; the row exists now.
    });
    return row?.token === token;
  }

  /** Whether a link is the one that was offered in the last 24 hours and not used. */
  async isOpen(token: string): Promise<boolean> {
    return (await this.rows.findOne(open(token))) !== null;
  }

  /** Uses the link. Raises LostRace when it was used or ended meanwhile. */
  async use(tx: Tx, token: string, at: Date): Promise<void> {
    const done = await this.rows.updateOne(open(token), { $set: { used_at: at } }, tx.options());
    if (done.matchedCount !== 1) throw new LostRace('first lead');
  }
}

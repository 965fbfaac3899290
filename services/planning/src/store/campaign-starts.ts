import { AppError, conflict, secondsUntil } from '@cds/contracts';
import { type Collection, type Ctx, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import { CAMPAIGN_STARTS, SANDBOX_CAMPAIGNS, START_WINDOW_MS } from '../domain/constants.js';

/** `at` holds the starts inside the window, `n` counts all there ever were. */
export type StartsRow = {
  _id: string;
  ws: string;
  at: Date[];
  n: number;
  granted: boolean;
  oldest: Date | null;
  asked_at: Date;
};

/** The after-image has the decision (docs/reliability.md#rolling-limits). `now` is the database's clock. */
export const bookStart = (now: unknown = '$$NOW'): mongo.Document[] => [
  {
    $set: {
      asked_at: now,
      at: {
        $filter: { input: { $ifNull: ['$at', []] }, cond: { $gt: ['$$this', { $subtract: [now, START_WINDOW_MS] }] } },
      },
    },
  },
  { $set: { granted: { $lt: [{ $size: '$at' }, CAMPAIGN_STARTS] }, oldest: { $min: '$at' } } },
  {
    $set: {
      at: { $cond: ['$granted', { $concatArrays: ['$at', [now]] }, '$at'] },
      n: { $add: [{ $ifNull: ['$n', 0] }, { $cond: ['$granted', 1, 0] }] },
    },
  },
];

type Starting = Pick<Ctx, 'principal' | 'now'>;

/** What time it is for a workspace: in a sandbox what its clock says, otherwise what the database's does. */
const nowOf = ({ principal, now }: Starting): Date | '$$NOW' => (principal.sandbox ? now : '$$NOW');

/** 3 in any 24 hours of a workspace's clock, whichever endpoint starts them (I37). */
export class CampaignStarts {
  readonly rows: Collection<StartsRow>;

  constructor(store: Store) {
    this.rows = store.collection<StartsRow>({ name: 'campaign_starts' });
  }

  async count(ws: string): Promise<number> {
    return (await this.rows.findOne({ _id: ws }, { projection: { n: 1 } }))?.n ?? 0;
  }

  async live(of: Starting): Promise<Date[]> {
    const [row] = await this.rows
      .aggregate<{ at: Date[]; now: Date }>([
        { $match: { _id: of.principal.workspace } },
        { $project: { at: 1, now: nowOf(of) } },
      ])
      .toArray();
    const live = row?.at.filter((at) => at.getTime() > row.now.getTime() - START_WINDOW_MS) ?? [];
    return live.sort((one, other) => one.getTime() - other.getTime());
  }

  /** A reset sandbox begins again, with all of its starts. */
  async restart(tx: Tx, ws: string): Promise<void> {
    await this.rows.updateOne({ _id: ws }, { $set: { n: 0, at: [] } }, tx.options());
  }

  async ensure(ws: string): Promise<void> {
    try {
      await this.rows.updateOne({ _id: ws }, { $setOnInsert: { ws, at: [], n: 0 } }, { upsert: true });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }

  /**
   * In the campaign's own transaction; answers the campaign's number. Raises rate_limited (daily_campaign_limit),
   * conflict (sandbox_full), and LostRace when the workspace no longer has `behind` starts; each aborts the
   * transaction, so a refused start costs nothing.
   */
  async book(tx: Tx, starting: Starting, behind?: number): Promise<number> {
    const { workspace: ws, sandbox } = starting.principal;
    const row = await this.rows.findOneAndUpdate(
      { _id: ws, ...(behind === undefined ? {} : { n: behind }) },
      bookStart(nowOf(starting)),
      { ...tx.options(), returnDocument: 'after' },
    );
    if (row === null && behind !== undefined) throw new LostRace('campaign starts');
    if (row === null) throw new Error('the campaign_starts row is missing');
    if (row.granted && sandbox && row.n > SANDBOX_CAMPAIGNS) throw sandboxFull();
    if (row.granted) return row.n;
    const resetsAt = new Date((row.oldest ?? row.asked_at).getTime() + START_WINDOW_MS);
    throw new AppError(
      'rate_limited',
      sandbox
        ? 'This sandbox started three campaigns within 24 hours of its clock. Advance the clock to resets_at, or reset the sandbox.'
        : 'Your brand started three campaigns in the last 24 hours. Start the next one at resets_at.',
      {
        reason: 'daily_campaign_limit',
        limit: CAMPAIGN_STARTS,
        resets_at: resetsAt.toISOString(),
        retry_after: secondsUntil(resetsAt, row.asked_at),
      },
    );
  }
}

const sandboxFull = (): AppError =>
  conflict(
    'sandbox_full',
    `This sandbox was given ${SANDBOX_CAMPAIGNS} campaigns since its last reset, the most it takes. Reset it, or use another one.`,
    { limit: SANDBOX_CAMPAIGNS },
  );

import type { EventPayload } from '@cds/contracts';
import { allNewerOnly, type Collection, type Store } from '@cds/service';
import type { CreatorAnswers, OfferRecord } from '../domain/builder/value.js';
import { DECLINED_FOR_MS } from '../domain/constants.js';

type OfferAnswer = {
  _id: string;
  ws: string;
  sandbox: boolean;
  creator_id: string;
  state: 'accepted' | 'declined' | 'no_reply';
  at: Date;
  version: number;
};

const NEVER: OfferRecord = { accepted: 0, answered: 0 };

const isAnswer = (state: string): state is OfferAnswer['state'] =>
  state === 'accepted' || state === 'declined' || state === 'no_reply';

/** From proposals' events, for the builder (docs/domain/plans.md#candidates, docs/domain/plans.md#plan-value). */
export class OfferAnswers {
  private readonly rows: Collection<OfferAnswer>;

  constructor(store: Store) {
    this.rows = store.collection<OfferAnswer>({
      name: 'offer_answers',
      indexes: [{ key: { creator_id: 1, sandbox: 1, state: 1 } }, { key: { ws: 1, state: 1, at: 1 } }],
    });
  }

  async take(lines: readonly EventPayload<'line.changed'>[]): Promise<void> {
    await allNewerOnly(
      this.rows,
      lines.flatMap(({ line_id, attempt, workspace, sandbox, creator_id, version, proposal }) => {
        const { state, updated_at } = proposal;
        if (!isAnswer(state)) return [];
        const at = new Date(updated_at);
        return { _id: `${line_id}|${attempt}`, ws: workspace, sandbox, creator_id, state, at, version };
      }),
    );
  }

  /** Over all live workspaces. Answers in a sandbox are simulated and count only there. */
  async of(ws: string, creatorIds: readonly string[], now: Date): Promise<CreatorAnswers> {
    const since = new Date(now.getTime() - DECLINED_FOR_MS);
    const [records, declines] = await Promise.all([
      this.rows
        .aggregate<OfferRecord & { _id: string }>([
          { $match: { sandbox: false, creator_id: { $in: [...creatorIds] } } },
          {
            $group: {
              _id: '$creator_id',
              answered: { $sum: 1 },
              accepted: { $sum: { $cond: [{ $eq: ['$state', 'accepted'] }, 1, 0] } },
            },
          },
        ])
        .toArray(),
      this.rows
        .find({ ws, state: 'declined', at: { $gt: since } }, { projection: { _id: 0, creator_id: 1 } })
        .toArray(),
    ]);
    const byCreator = new Map(records.map(({ _id, ...record }) => [_id, record]));
    const declined = new Set(declines.map((one) => one.creator_id));
    return { offersOf: (id) => byCreator.get(id) ?? NEVER, declinedLately: (id) => declined.has(id) };
  }
}

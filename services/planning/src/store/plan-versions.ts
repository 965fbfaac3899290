import { type Collection, packedJson, type Store, type Tx, unpackedJson } from '@cds/service';
import type { mongo } from 'mongoose';
import { VERSION_DAYS, VERSIONS_KEPT } from '../domain/constants.js';
import { type PlanVersion, versionLine } from '../domain/edits/plan-version.js';
import { fullChanges, type ShortChange, shortChanges } from '../domain/edits/short-changes.js';
import type { Plan } from '../domain/plan.js';

/** An earlier release wrote the changes in full. */
type VersionRow = Omit<PlanVersion, 'changes'> & {
  changes?: PlanVersion['changes'];
  short?: mongo.Binary;
  /** Absent for the first version, which stays with its plan. */
  expires_at?: Date;
};

const DAY_MS = 86_400_000;
const IN_FULL = { changes: { $exists: true } } as const;

/** A plan keeps its first version and its newest, these for some months (docs/domain/plans.md#history). */
export class PlanVersions {
  readonly rows: Collection<VersionRow>;

  constructor(store: Store) {
    this.rows = store.collection<VersionRow>({
      name: 'plan_versions',
      indexes: [
        { key: { ws: 1, plan_id: 1, version: -1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
        { key: { version: 1 }, partialFilterExpression: IN_FULL },
      ],
      // A sandbox's clock may be years ahead.
      backfill: {
        rows: { ...IN_FULL, version: { $gt: 1 }, expires_at: null },
        set: { expires_at: { $add: [{ $min: ['$at', '$$NOW'] }, VERSION_DAYS * DAY_MS] } },
      },
    });
  }

  async add(tx: Tx, { changes, ...version }: PlanVersion): Promise<void> {
    const isFirst = version.version === 1;
    const expires_at = new Date(version.at.getTime() + VERSION_DAYS * DAY_MS);
    await this.rows.insertOne(
      { ...version, short: packedJson(shortChanges(changes)), ...(isFirst ? {} : { expires_at }) },
      tx.options(),
    );
    const oldest = version.version - VERSIONS_KEPT;
    const { ws, plan_id } = version;
    if (oldest > 1) await this.rows.deleteMany({ ws, plan_id, version: { $gt: 1, $lte: oldest } }, tx.options());
  }

  async newest(
    { ws, _id, lines }: Pick<Plan, 'ws' | '_id' | 'lines'>,
    { before = Number.MAX_SAFE_INTEGER, most }: { before?: number | undefined; most: number },
  ): Promise<PlanVersion[]> {
    const ofPlan = { ws, plan_id: _id };
    const [newest, first] = await Promise.all([
      this.rows.find(ofPlan).sort({ version: -1 }).limit(VERSIONS_KEPT).toArray(),
      this.rows.findOne({ ...ofPlan, version: 1 }),
    ]);
    const rows = first === null || newest.at(-1)?.version === 1 ? newest : [...newest, first];
    const changesOf = fullChanges(rows.map(inShort), lines.map(versionLine));
    return rows
      .filter(({ version }) => version < before)
      .slice(0, most)
      .map(({ short: _short, expires_at: _expires, ...row }) => ({
        ...row,
        changes: changesOf.get(row.version) ?? [],
      }));
  }
}

const inShort = ({ version, changes, short }: VersionRow) => ({
  version,
  changes: short === undefined ? (changes ?? []) : unpackedJson<ShortChange[]>(short),
});

import { randomUUID } from 'node:crypto';
import { type BaseShell, Deadline, inTx, type RowRunner, type Store } from '@cds/service';
import { DAY_MS, WINDOW_DAYS } from '../domain/constants.js';
import { nextRefresh } from '../domain/days.js';
import type { Refused } from '../domain/import/import-checks.js';
import type { ReadRow } from '../domain/import/stated.js';
import { withoutValues } from '../identity/without-values.js';
import type { ChannelRefresh } from '../store/channel-refresh.js';
import type { Creators } from '../store/creators.js';
import type { NetworkState } from '../store/network-state.js';
import type { ChannelAnswer, ChannelSource } from './channel/channel-source.js';
import type { Importer } from './importer.js';

const BATCH = 10;
/** Creators of a batch with those whose handles they contest. */
const TOGETHER_MAX = 3 * BATCH;
const WRITE_MS = 5_000;
/** How often the lease is renewed while a batch runs (docs/reliability.md#deadlines). */
const RENEW_MS = 2_000;

/** One batch per call (docs/domain/network.md#imports). A creator that was not read keeps everything. */
export class Refresher {
  constructor(
    private readonly store: Store,
    private readonly creators: Creators,
    private readonly state: NetworkState,
    private readonly refresh: ChannelRefresh,
    private readonly importer: Pick<Importer, 'importRows'>,
    private readonly channel: ChannelSource,
    private readonly rows: RowRunner,
    private readonly log: Pick<BaseShell['log'], 'warn'>,
    private readonly renewMs: number = RENEW_MS,
  ) {}

  async next(now: Date): Promise<number> {
    await this.refresh.plan(nextRefresh(now));
    const owner = randomUUID();
    const held = await this.refresh.claim(owner);
    if (held === null) return 0;
    // A failed renewal is followed by the next; a lost lease belongs to another replica.
    const renewing = setInterval(() => void this.refresh.renew(owner).catch(() => undefined), this.renewMs);
    try {
      return await this.nextBatch(owner, held.after, now);
    } finally {
      clearInterval(renewing);
    }
  }

  private async nextBatch(owner: string, after: string | null, now: Date): Promise<number> {
    const batch = await this.creators.onNetworkAfter(after, BATCH);
    const last = batch.at(-1);
    if (last === undefined) {
      await this.refresh.finish(owner, nextRefresh(now));
      return 0;
    }
    await this.takeEach(batch, now);
    await this.refresh.proceed(owner, last._id);
    return batch.length;
  }

  /** Imports a batch at once; if that fails, one by one, so that one creator cannot block the others. */
  private async takeEach(batch: readonly { _id: string; network_id: string }[], now: Date): Promise<void> {
    try {
      await this.take(batch, now);
    } catch {
      await this.rows.run(
        {
          name: 'refresh_creators',
          find: async (without) => batch.filter(({ _id }) => !without.includes(_id)),
          idOf: ({ _id }) => _id,
          handle: async (creator) => {
            await this.take([creator], now);
            return 'done';
          },
          loggable: withoutValues,
        },
        'ignored',
      );
    }
  }

  private async take(batch: readonly { _id: string; network_id: string }[], now: Date): Promise<void> {
    const { rows, refused } = await this.imported(
      batch.map(({ network_id }) => network_id),
      now,
    );
    const taken = new Set(rows.map(({ row }) => row).filter((row) => !refused.some((one) => one.row === row)));
    const failed = batch.filter((_creator, at) => !taken.has(at)).map(({ _id }) => _id);
    if (failed.length === 0) return;
    await inTx(this.store, Deadline.in(WRITE_MS), async (tx) => {
      await this.creators.refreshFailed(tx, failed, now, await this.state.next(tx));
    });
  }

  /** Handles that changed hands are only right together, so their holders are imported too. */
  private async imported(ids: readonly string[], now: Date): Promise<{ rows: ReadRow[]; refused: Refused[] }> {
    const answers = await this.read(ids, new Date(now.getTime() - WINDOW_DAYS * DAY_MS));
    const rows = answers.flatMap(({ row }, at) => (row === null ? [] : [{ ...row, row: at }]));
    const { refused, contested } = await this.importer.importRows(rows, {
      asOf: now,
      recordedAt: now,
      viewsSource: 'network',
      setBy: 'refresh',
    });
    const more = [...new Set(contested)].filter((id) => !ids.includes(id));
    return more.length === 0 || ids.length > TOGETHER_MAX ? { rows, refused } : this.imported([...ids, ...more], now);
  }

  /** The channel's answers in the order of the ids; empty ones when it cannot be reached. */
  private async read(ids: readonly string[], since: Date): Promise<ChannelAnswer[]> {
    try {
      const answers = new Map((await this.channel.read(ids, since)).map((answer) => [answer.network_id, answer]));
      return ids.map((network_id) => answers.get(network_id) ?? { network_id, row: null });
    } catch (err) {
      this.log.warn({ err, creators: ids.length }, 'the channel could not be read');
      return ids.map((network_id) => ({ network_id, row: null }));
    }
  }
}

import { unavailable } from '@cds/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { LostRace } from '../store/lost-race.js';
import { storeSuite } from '../testing/suite.js';
import { type RowOutcome, RowRunner, type RowSweep } from './row-runner.js';

type Row = { id: number };
type Line = { level: string; alarm?: string; row?: string; failed?: number };

const PAGE = 200;

describe('the rows of a sweep', () => {
  let lines: Line[];
  let due: number[];
  let tried: number[];
  const test = storeSuite('row_runner', (store) => ({ runner: new RowRunner(store, {} as never) }));
  beforeEach(async () => {
    [lines, due, tried] = [[], [], []];
    await test.store.db.collection('put_off').deleteMany({});
  });

  const aReplica = () => {
    const noting = (level: string) => (facts: Omit<Line, 'level'>) => void lines.push({ ...facts, level });
    const log = { info: noting('info'), warn: noting('warn'), error: noting('error') };
    return new RowRunner(test.store, log as never);
  };
  /** Rows of a collection: a page in order, and a handled row is no longer due. */
  const sweepOf = (
    handle: (id: number) => Promise<RowOutcome> | RowOutcome,
    over: Partial<RowSweep<Row>> = {},
  ): RowSweep<Row> => ({
    name: 'of the test',
    find: async (without) =>
      due
        .filter((id) => !without.includes(`row ${id}`))
        .slice(0, PAGE)
        .map((id) => ({ id })),
    idOf: ({ id }) => `row ${id}`,
    handle: async ({ id }) => {
      tried.push(id);
      const outcome = await handle(id);
      if (outcome === 1) due = due.filter((one) => one !== id);
      return outcome;
    },
    ...over,
  });
  const upTo = (count: number) => Array.from({ length: count }, (_none, at) => at + 1);
  const pausesPass = () => test.store.db.collection('put_off').updateMany({}, { $set: { next_at: new Date(0) } });
  const fails = (): never => {
    throw new Error('this row cannot be handled');
  };

  it('are handled although finding them claims them, while others are postponed', async () => {
    const claimed = new Set<number>();
    /** Gives each row to one finder only, as a sweep does that shares its rows with a worker. */
    const claiming = sweepOf((id) => (id === 1 ? fails() : 1), {
      find: async (without) => {
        const id = due.find((one) => !claimed.has(one) && !without.includes(`row ${one}`));
        if (id === undefined) return [];
        claimed.add(id);
        return [{ id }];
      },
    });
    due = [1];
    await aReplica().run(claiming, 'kept');
    claimed.clear();
    due = [2, 1];
    expect(await aReplica().run(claiming, 'kept')).toBe(1);
    expect(tried).toEqual([1, 2]);
  });

  it.each<[string, () => RowOutcome]>([
    ['fail', fails],
    [
      'wait for a service that is unavailable',
      () => {
        throw unavailable('it is down', 1);
      },
    ],
    ['cannot move on', () => 0],
    ['say themselves when they are due', () => 'done'],
    [
      'others change all the time',
      () => {
        throw new LostRace('row');
      },
    ],
  ])('are all handled behind a whole page of rows that %s', async (_name, stuck) => {
    due = upTo(PAGE + 3);
    const handled = await aReplica()
      .run(
        sweepOf((id) => (id <= PAGE ? stuck() : 1)),
        'kept',
      )
      .catch(String);
    expect(due).toEqual(upTo(PAGE));
    expect(handled).toBeGreaterThanOrEqual(3);
  });

  it('that failed are skipped by every replica until their pause is over, then retried', async () => {
    due = upTo(2);
    const [one, other] = [aReplica(), aReplica()];
    await one.run(
      sweepOf((id) => (id === 1 ? fails() : 1)),
      'kept',
    );
    await other.run(sweepOf(fails), 'kept');
    expect(tried).toEqual([1, 2]);
    await pausesPass();
    expect(
      await other.run(
        sweepOf(() => 1),
        'kept',
      ),
    ).toBe(1);
    expect(due).toEqual([]);
    expect(await test.store.db.collection('put_off').countDocuments()).toBe(0);
  });

  it('that were postponed are retried for an advanced clock', async () => {
    due = [1];
    await aReplica().run(sweepOf(fails), 'kept');
    expect(
      await aReplica().run(
        sweepOf(() => 1),
        'ignored',
      ),
    ).toBe(1);
  });

  it('pause longer with each failure, up to five minutes', async () => {
    due = [1];
    const pauses: number[] = [];
    for (let turn = 0; turn < 11; turn += 1) {
      await pausesPass();
      const before = (await test.store.now()).getTime();
      await aReplica().run(sweepOf(fails), 'kept');
      const note = await test.store.db.collection<{ _id: string; next_at: Date }>('put_off').findOne({});
      pauses.push(Math.round(((note?.next_at.getTime() ?? 0) - before) / 10_000) * 10);
    }
    expect(pauses).toEqual([0, 0, 0, 10, 20, 30, 60, 130, 260, 300, 300]);
  });

  it('that keep failing raise an alarm; those that wait for a service do not', async () => {
    due = [1, 2];
    for (let turn = 0; turn < 6; turn += 1) {
      await pausesPass();
      await aReplica().run(
        sweepOf((id) => {
          if (id === 1) return fails();
          throw unavailable('it is down', 1);
        }),
        'kept',
      );
    }
    const of = (row: string) => lines.filter((line) => line.row === row).map(({ level, alarm }) => [level, alarm]);
    expect(of('row 1')).toEqual([
      ...Array.from({ length: 4 }, () => ['warn', undefined]),
      ...Array.from({ length: 2 }, () => ['error', 'sweep_row_stuck']),
    ]);
    expect(new Set(of('row 2').map(([level]) => level))).toEqual(new Set(['info']));
  });

  it('with several facts are handled until none is left, with other rows in between', async () => {
    due = [1, 2];
    const left = new Map([
      [1, 3],
      [2, 2],
    ]);
    const handled = await aReplica().run(
      sweepOf(() => 1, {
        repeats: true,
        handle: async ({ id }) => {
          tried.push(id);
          const remaining = (left.get(id) ?? 0) - 1;
          left.set(id, remaining);
          if (remaining === 0) due = due.filter((one) => one !== id);
          return 1;
        },
      }),
      'kept',
    );
    expect([handled, tried]).toEqual([5, [1, 2, 1, 2, 1]]);
  });

  describe('handled together', () => {
    /** Groups of up to three; `together` may throw for a group. */
    const grouped = (
      handle: (id: number) => Promise<RowOutcome> | RowOutcome,
      together: (ids: number[]) => RowOutcome[],
      over: Partial<RowSweep<Row>> = {},
    ): RowSweep<Row> =>
      sweepOf(handle, {
        together: {
          most: 3,
          handle: async (rows) => {
            const ids = rows.map(({ id }) => id);
            groups.push(ids);
            const outcomes = together(ids);
            due = due.filter((id) => outcomes[ids.indexOf(id)] !== 1);
            return outcomes;
          },
        },
        ...over,
      });
    let groups: number[][];
    beforeEach(() => {
      groups = [];
    });
    const all = (ids: number[]): RowOutcome[] => ids.map(() => 1);

    it('share a transaction, as many as may', async () => {
      due = upTo(7);
      expect(await aReplica().run(grouped(fails, all), 'kept')).toBe(6);
      expect([groups, tried, due]).toEqual([
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        [7],
        [7],
      ]);
    });

    it('are handled one by one when one of them fails, which has no company until it succeeds', async () => {
      due = upTo(3);
      const bad = (id: number) => (id === 2 ? fails() : 1);
      const withoutBad = (ids: number[]) => (ids.includes(2) ? fails() : all(ids));
      const run = () => aReplica().run(grouped(bad, withoutBad), 'kept').catch(String);
      expect(await run()).toBe(2);
      expect([groups, tried, due]).toEqual([[[1, 2, 3]], [1, 2, 3], [2]]);
      expect(lines.filter(({ row }) => row === 'row 2')).toMatchObject([{ level: 'warn', failed: 1 }]);

      await pausesPass();
      due = [2, 4, 5];
      [groups, tried] = [[], []];
      expect(await run()).toBe(2);
      expect([groups, tried, due]).toEqual([[[4, 5]], [2], [2]]);
    });

    it('are found again after a lost race, and each is then alone', async () => {
      due = upTo(3);
      const lost = (): never => {
        throw new LostRace('a line');
      };
      expect(
        await aReplica().run(
          grouped(() => 1, lost),
          'kept',
        ),
      ).toBe(3);
      expect([groups, tried]).toEqual([[[1, 2, 3]], [1, 2, 3]]);
      expect(await test.store.db.collection('put_off').countDocuments()).toBe(0);
    });

    it('are postponed when they must wait', async () => {
      due = upTo(2);
      expect(
        await aReplica().run(
          grouped(
            () => 0,
            () => [1, 0],
          ),
          'kept',
        ),
      ).toBe(1);
      expect(await test.store.db.collection('put_off').find({}).toArray()).toMatchObject([{ row: 'row 2', waits: 1 }]);
    });
  });

  it('throw the database error if they cannot be postponed', async () => {
    due = [1];
    const away = aReplica();
    const failing = new Error('the database is unavailable');
    Object.assign(away, { rows: { find: () => ({ sort: () => ({ limit: () => ({ toArray: async () => [] }) }) }) } });
    Object.assign(away, { putOff: () => Promise.reject(failing) });
    await expect(away.run(sweepOf(fails), 'kept')).rejects.toBe(failing);
  });
});

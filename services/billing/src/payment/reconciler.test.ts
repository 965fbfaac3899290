import type { RowSweep } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import type { Order } from '../domain/order.js';
import { reconciler } from './reconciler.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;

/** An order whose session was opened so many minutes ago. */
const opened = (minutes: number): Order =>
  ({ _id: `${minutes}`, session: { opened_at: new Date(NOW.getTime() - minutes * MINUTE_MS) } }) as Order;

/** docs/domain/orders.md#clock-jobs */
describe('the reconciler', () => {
  const open = [90, 80, 70, 60, 50, 10].map(opened);
  let asked: string[] = [];
  const sweep = (most: number) =>
    reconciler(
      {
        openSince: async ({ from, before }, _only, without) =>
          open.filter(({ _id, session }) => {
            const at = session?.opened_at ?? NOW;
            return at >= from && at < before && !without.includes(_id);
          }),
      },
      {
        reconcile: async ({ _id }) => {
          asked.push(_id);
          return false;
        },
      },
      {
        // Its time is over after a few rows.
        run: async <Row>({ find, handle, idOf }: RowSweep<Row>) => {
          const done: string[] = [];
          for (let page = await find([]); page.length > 0; page = await find(done)) {
            for (const row of page) {
              if (done.length === most) return 0;
              await handle(row);
              done.push(idOf(row));
            }
          }
          return 0;
        },
      },
    );
  const time = { network: NOW } as Parameters<ReturnType<typeof sweep>['run']>[0];
  const run = async (one: ReturnType<typeof sweep>, only: string | null = null): Promise<string[]> => {
    asked = [];
    await one.run(time, only);
    return asked;
  };

  it('asks about each session that has been open for 15 minutes', async () => {
    const one = sweep(100);
    for (let round = 0; round < 2; round += 1) expect(await run(one)).toEqual(['90', '80', '70', '60', '50']);
  });

  it('goes on where the time of its last run ended, and begins again with the oldest', async () => {
    const one = sweep(2);
    const runs: string[][] = [];
    for (let round = 0; round < 5; round += 1) runs.push(await run(one));
    expect(runs).toEqual([
      ['90', '80'],
      ['80', '70'],
      ['70', '60'],
      ['60', '50'],
      ['90', '80'],
    ]);
  });

  it('asks about all of a sandbox whose clock was advanced, wherever it is', async () => {
    const one = sweep(3);
    await run(one);
    expect(await run(one, 'ws')).toEqual(['90', '80', '70']);
    expect(await run(one)).toEqual(['70', '60', '50']);
  });
});

import { randomUUID } from 'node:crypto';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import type { Chain } from '../domain/chain.js';
import { accept, cancelLine, type Move } from '../domain/moves.js';
import { anOrder, aPostChange, aSignedLine } from '../test/builders.js';
import { testOffers } from '../test/suite.js';
import { lineCancelCredits } from './line-cancel.js';

const PRICE = 60_000;

/** docs/domain/orders.md#credits. */
describe('line_cancel_credits', () => {
  const world = testOffers();

  it('answers what each line owes as far as it has come, to its own workspace alone', async () => {
    const order = anOrder({
      lines: ['2026-12-05', '2026-12-05', '2026-12-05', '2026-12-20', '2026-12-05'].map((scheduled_date, n) =>
        aSignedLine({ number: n + 1, scheduled_date, price_cents: PRICE }),
      ),
    });
    await world.deliver(world.consumers.order, order);
    const ids = order.lines.map(({ line_id }) => line_id);
    const at = new Date('2026-11-22T10:00:00.000Z');
    const move = (index: number, to: (chain: Chain) => Move) => world.move(order.workspace, ids[index] ?? '', to);
    for (const index of [0, 1, 2, 3])
      await move(index, (chain) => accept(chain, at, order.lines[index]?.scheduled_date ?? null));
    await world.deliver(world.consumers.post, aPostChange(order, ids[1] ?? '', { status: 'live' }));
    const proof = { status: 'completed', still_up_at: '2026-12-04T10:00:00.000Z' } as const;
    await world.deliver(world.consumers.post, aPostChange(order, ids[2] ?? '', proof));
    await move(4, (chain) => cancelLine(chain, at, 'cancelled', 1));

    const asked = async (workspace: string) => {
      const ctx = aCtx({ workspace, now: '2026-12-04T10:00:00.000Z' });
      const { lines } = (await lineCancelCredits(ctx, { order_id: order.order_id }, world)) as {
        lines: { line_id: string; amount_cents: number }[];
      };
      return new Map(lines.map(({ line_id, amount_cents }) => [line_id, amount_cents]));
    };
    const owed = await asked(order.workspace);
    expect(ids.map((id) => owed.get(id))).toEqual([PRICE / 2, 0, 0, PRICE, 0]);
    expect((await asked(randomUUID())).size).toBe(0);
  });
});

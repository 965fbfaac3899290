import { randomUUID } from 'node:crypto';
import { aCtx, docsExamined } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { accept } from '../domain/moves.js';
import { anOrder, aPostChange } from '../test/builders.js';
import { testOffers } from '../test/suite.js';
import { opsLinePayout, opsLinePayoutReturned, opsPayoutsList } from './ops-payouts.js';

const PROVED_AT = '2026-12-10T10:00:00.000Z';

describe('payouts (docs/domain/orders.md#payouts)', () => {
  const world = testOffers();

  const ctx = aCtx({ now: '2026-12-12T10:00:00.000Z' });
  const deps = () => ({
    offers: world.offers,
    calls: {
      identity_reveal: async (_ctx: unknown, { creator_ids }: { creator_ids: string[] }) => ({
        creators: creator_ids.map((creator_id) => ({ creator_id, name: null, handle: 'somebody', url: '' })),
      }),
      creator_terms: async () => ({ payout_cents: 45_000, proposals: 'open' as const }),
    },
  });

  /** A booked line of a live order; its post is proved if `proved`. */
  const booked = async ({ proved = true, sandbox = false } = {}) => {
    const order = anOrder({ sandbox });
    const lineId = order.lines[0]?.line_id ?? '';
    await world.deliver(world.consumers.order, order);
    const { line } = await world.move(order.workspace, lineId, (before) =>
      accept(before, new Date(order.signed_at), before.line.scheduled_date),
    );
    if (proved)
      await world.deliver(
        world.consumers.post,
        aPostChange(order, lineId, { status: 'completed', still_up_at: PROVED_AT }),
      );
    return { ws: order.workspace, lineId, price: line.price_cents };
  };
  const pay = async (id: string, amount_cents: number) =>
    world.saved(await opsLinePayout(ctx, { id, amount_cents, reference: 'SEPA 17', reason: 'Paid.' }, deps()));
  const payouts = async (state: 'due' | 'paid') => {
    const page = await opsPayoutsList(ctx, { state }, deps());
    if (!('items' in page)) throw new Error('expected a page');
    return page.items;
  };
  const listed = async (state: 'due' | 'paid') => (await payouts(state)).map(({ line_id, state: is }) => [line_id, is]);

  it('are due once a post is proved, and paid once finance recorded the transfer', async () => {
    const [waiting, proved, sandbox] = [
      await booked({ proved: false }),
      await booked(),
      await booked({ sandbox: true }),
    ];
    expect(await listed('due')).toEqual([[proved.lineId, 'due']]);
    await expect(pay(waiting.lineId, 100)).rejects.toMatchObject({
      details: { reason: 'bad_state', state: 'not_due' },
    });

    await pay(proved.lineId, 45_000);
    expect(await listed('due')).toEqual([]);
    expect(await payouts('paid')).toMatchObject([
      {
        line_id: proved.lineId,
        handle: 'somebody',
        ask_cents: 45_000,
        proved_at: PROVED_AT,
        paid: { amount_cents: 45_000, reference: 'SEPA 17' },
      },
    ]);
    expect(sandbox.lineId).not.toBe(proved.lineId);
  });

  it('are recorded once, also by two at the same time, and never above the price of the line', async () => {
    const { lineId, price } = await booked();
    await expect(pay(lineId, price + 1)).rejects.toMatchObject({ code: 'unprocessable' });
    const answers = await Promise.allSettled([pay(lineId, 100), pay(lineId, 200)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(pay(lineId, 100)).rejects.toMatchObject({ details: { reason: 'bad_state', state: 'paid' } });
  });

  it('that are due are found without reading those that were paid, or those of sandboxes', async () => {
    const before = await payouts('due');
    const { ws, lineId } = await booked();
    const line = await world.offers.lines.findOne({ _id: lineId, ws });
    if (line === null) throw new Error('no line');
    const many = (over: Partial<typeof line>) =>
      Array.from({ length: 100 }, () => ({ ...line, _id: randomUUID(), ...over }));
    const payout = { amount_cents: 1, reference: 'SEPA 18', at: new Date(PROVED_AT) };
    await world.offers.lines.insertMany([...many({ payout }), ...many({ sandbox: true })]);
    const due = await docsExamined(world.shell.store, 'offer_lines', () =>
      world.offers.provedLines('due', { at: new Date(0), id: '' }, 20),
    );
    expect(due.result).toHaveLength(before.length + 1);
    expect(due.docsExamined).toBe(before.length + 1);
    await world.offers.lines.deleteMany({ ws });
  });

  it('are due again once the bank sent one back, with their history (I75)', async () => {
    const { lineId } = await booked();
    const comesBack = async () =>
      world.saved(await opsLinePayoutReturned(ctx, { id: lineId, reason: 'Account closed.' }, deps()));
    await expect(comesBack()).rejects.toMatchObject({ details: { reason: 'bad_state', state: 'due' } });
    await pay(lineId, 45_000);
    await comesBack();
    const back = { amount_cents: 45_000, reference: 'SEPA 17', returned_at: '2026-12-12T10:00:00.000Z' };
    expect((await payouts('due')).filter(({ line_id }) => line_id === lineId)).toMatchObject([
      { state: 'due', paid: null, returned: [back] },
    ]);
    await pay(lineId, 44_000);
    expect((await payouts('paid')).filter(({ line_id }) => line_id === lineId)).toMatchObject([
      { state: 'paid', paid: { amount_cents: 44_000 }, returned: [back] },
    ]);
  });
});

import { randomUUID } from 'node:crypto';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { cancelLine } from '../domain/moves.js';
import { aBook, anOrder, aSignedLine } from '../test/builders.js';
import { testOffers } from '../test/suite.js';

/** docs/reliability.md#proposals, docs/reliability.md#events; I29, I32, I35. */
describe('order.changed', () => {
  const world = testOffers();

  const rowsOf = (lineId: string) => world.offers.proposals.find({ line_id: lineId }).toArray();

  it('begins one chain per line with a creator once the order is paid, and none before', async () => {
    proves('proposals.after-payment');
    const team = aSignedLine({ number: 2, creator_id: null, unit_id: null });
    const order = anOrder({ lines: [aSignedLine(), team] });
    const [line] = order.lines;
    await world.deliver(world.consumers.order, { ...order, version: 1, payment_state: 'unpaid', paid_at: null });
    expect(await rowsOf(line?.line_id ?? '')).toEqual([]);

    await world.deliver(world.consumers.order, order);
    const [row] = await rowsOf(line?.line_id ?? '');
    expect(row).toMatchObject({ attempt: 1, state: 'sent', open: true, sent_at: new Date(order.paid_at ?? '') });
    expect(await world.offers.byLine(order.workspace, team.line_id)).toBeNull();
    expect(await world.emitted(line?.line_id ?? '')).toMatchObject([
      { version: 1, attempt: 1, proposal: { state: 'sent', updated_at: order.paid_at } },
    ]);
  });

  it('makes one chain however often and in whatever order events arrive', async () => {
    const order = anOrder();
    const lineId = order.lines[0]?.line_id ?? '';
    const refundedInPart = { ...order, version: 3, payment_state: 'partially_refunded' as const };
    await world.deliver(world.consumers.order, refundedInPart);
    await world.deliver(world.consumers.order, order);
    await world.deliver(world.consumers.order, refundedInPart);
    await world.deliver(world.consumers.order, { ...order, version: 1, payment_state: 'unpaid', paid_at: null });
    expect(await rowsOf(lineId)).toHaveLength(1);
    expect(await world.emitted(lineId)).toHaveLength(1);
    expect((await world.offers.byLine(order.workspace, lineId))?.line).toMatchObject({ order_version: 3, attempts: 1 });
  });

  it.each(['refunded', 'cancelled'] as const)(
    'withdraws open proposals and cancels lines once the order is %s',
    async (state) => {
      const order = anOrder();
      const lineId = order.lines[0]?.line_id ?? '';
      await world.deliver(world.consumers.order, order);
      const ended = { ...order, version: 3, payment_state: state, refunded_at: '2026-11-21T13:00:00.000Z' };
      await world.deliver(world.consumers.order, ended);
      await world.deliver(world.consumers.order, { ...ended, version: 4 });
      expect(await rowsOf(lineId)).toMatchObject([
        { state: 'sent', open: false, withdrawn_at: new Date('2026-11-21T13:00:00.000Z'), due_at: null },
      ]);
      expect((await world.emitted(lineId)).map((line) => [line.version, line.cancelled])).toEqual([
        [1, false],
        [2, true],
      ]);
    },
  );

  /** A line that the team cancelled, which owes 900 cents; `said` is what it owes after an event of its order. */
  const cancelledAlone = async () => {
    const order = anOrder();
    const lineId = order.lines[0]?.line_id ?? '';
    await world.deliver(world.consumers.order, order);
    await world.move(order.workspace, lineId, (before) =>
      cancelLine(before, new Date(order.signed_at), 'cancelled', 900),
    );
    const said = async (version: number, over: Partial<typeof order>, ...amounts: number[]) => {
      const credit = { line_id: lineId, cause: 'cancelled' as const, state: 'due' as const };
      const credits = amounts.map((amount_cents) => ({ ...credit, id: randomUUID(), amount_cents }));
      await world.deliver(world.consumers.order, { ...order, version, books: aBook(order, credits), ...over });
      return (await world.chainOf(order.workspace, lineId)).line.credits?.map((one) => one.amount_cents);
    };
    return { lineId, said };
  };

  it('lets a cancelled line owe what billing credits for that, however both cancellations met (I76)', async () => {
    const { lineId, said } = await cancelledAlone();
    const cancelled = { payment_state: 'cancelled' } as const;
    expect(await said(3, cancelled)).toEqual([900]);
    // The team set another amount; a refused repayment then left room for more of it.
    expect(await said(4, cancelled, 400)).toEqual([400]);
    expect(await said(5, cancelled, 400, 300)).toEqual([700]);
    expect((await world.emitted(lineId)).slice(-2).map(({ credits }) => credits?.[0]?.amount_cents)).toEqual([
      400, 700,
    ]);
  });

  it('lets a cancelled line owe nothing where billing followed it and had nothing left for it (I76)', async () => {
    const { lineId, said } = await cancelledAlone();
    const ending = (...ended_lines: string[]) => ({ payment_state: 'partially_refunded' as const, ended_lines });
    expect(await said(3, ending())).toEqual([900]);
    expect(await said(4, ending(randomUUID()))).toEqual([900]);
    expect(await said(5, ending(lineId))).toEqual([0]);
    expect((await world.emitted(lineId)).at(-1)?.credits).toEqual([]);
    // A repayment that was refused left room for a part of it.
    expect(await said(6, ending(lineId), 300)).toEqual([300]);
  });
});

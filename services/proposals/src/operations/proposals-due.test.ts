import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { anOrder, aSignedLine } from '../test/builders.js';
import { testOffers } from '../test/suite.js';
import { proposalsDue } from './proposals-due.js';

describe('proposals_due', () => {
  const world = testOffers();

  it('lists at most 50 due facts of the workspace, earliest first, and none already handled', async () => {
    const order = anOrder({ lines: Array.from({ length: 40 }, (_none, n) => aSignedLine({ number: n + 1 })) });
    await world.deliver(world.consumers.order, order);
    await world.deliver(world.consumers.order, anOrder());
    const ask = () => proposalsDue(aCtx(), { workspace: order.workspace }, { offers: world.offers });
    const answer = await ask();
    if (!('pending' in answer)) throw new Error('expected a value');
    expect(answer.pending).toHaveLength(50);
    expect(answer.pending.map((one) => one.due_at)).toEqual([...answer.pending.map((one) => one.due_at)].sort());
    expect(answer.pending.map((one) => one.kind)).toEqual(
      expect.arrayContaining(['proposal_answer', 'proposal_expiry']),
    );

    await world.jump(order.workspace, '2026-12-21T00:00:00Z');
    expect(await ask()).toEqual({ pending: [] });
  });
});

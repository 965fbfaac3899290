import { Deadline, inTx } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { decline, unfilled } from '../domain/moves.js';
import { anOrder } from '../test/builders.js';
import { testOffers } from '../test/suite.js';
import { excludedFor, excludedFromNaming } from './excluded.js';

const DECLINED_AT = new Date('2026-11-22T10:00:00.000Z');
const DAYS_30 = 30 * 86_400_000;
const after = (ms: number): Date => new Date(DECLINED_AT.getTime() + ms);

/** docs/domain/orders.md#replacement-search. */
describe('a creator who declined the brand', () => {
  const world = testOffers();

  const paid = async (of: Parameters<typeof anOrder>[0] = {}) => {
    const order = anOrder(of);
    await world.deliver(world.consumers.order, order);
    const chain = await world.offers.byLine(order.workspace, order.lines[0]?.line_id ?? '');
    if (chain?.proposal == null) throw new Error('no chain');
    return { line: chain.line, proposal: chain.proposal };
  };
  /** A line whose creator declined, and for which a search has found nobody since. */
  const declinedThenUnfilled = async () => {
    const before = await paid();
    const declined = decline(before, DECLINED_AT, 'price');
    await inTx(world.shell.store, Deadline.in(5_000), (tx) => world.offers.save(tx, before, declined));
    const nobody = unfilled(declined.chain, after(60_000), { next_at: null, choose_until: null, candidates: [] });
    await inTx(world.shell.store, Deadline.in(5_000), (tx) => world.offers.save(tx, declined.chain, nobody));
    return nobody.chain;
  };

  it('is left out of the brand’s other searches for 30 days, also after that line became unfilled', async () => {
    const { line: declined } = await declinedThenUnfilled();
    const { line } = await paid({ workspace: declined.ws });
    expect(await excludedFor(world.offers, line, after(0))).toContain(declined.creator_id);
    expect(await excludedFor(world.offers, line, after(DAYS_30 - 1))).toContain(declined.creator_id);
    expect(await excludedFor(world.offers, line, after(DAYS_30))).not.toContain(declined.creator_id);
  });

  it('is left out by a row that is older than the time of its decline', async () => {
    const { line: declined, proposal } = await declinedThenUnfilled();
    await world.offers.proposals.updateOne(
      { _id: proposal._id },
      { $set: { state: 'declined', updated_at: DECLINED_AT }, $unset: { declined_at: 1 } },
    );
    const { line } = await paid({ workspace: declined.ws });
    expect(await excludedFor(world.offers, line, after(DAYS_30 - 1))).toContain(declined.creator_id);
  });

  it('may be searched by another brand, and be named by this one for another line', async () => {
    const { line: declined } = await declinedThenUnfilled();
    const [others, own] = [await paid(), await paid({ workspace: declined.ws })];
    expect(await excludedFor(world.offers, others.line, after(1))).not.toContain(declined.creator_id);
    expect(await excludedFromNaming(world.offers, own.line)).not.toContain(declined.creator_id);
    expect(await excludedFromNaming(world.offers, declined)).toContain(declined.creator_id);
  });
});

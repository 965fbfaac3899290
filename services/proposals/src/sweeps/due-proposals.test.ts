import { randomUUID } from 'node:crypto';
import { proves } from '@cds/contracts/testing';
import { Deadline, inTx, LostRace } from '@cds/service';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Chain } from '../domain/chain.js';
import { accept, playSilence } from '../domain/moves.js';
import { anOrder, aReplacement, aSignedLine, dueMoveAt } from '../test/builders.js';
import { testOffers } from '../test/suite.js';

const DAY_MS = 86_400_000;

/** docs/domain/orders.md#clock-jobs, docs/domain/orders.md#sandbox-creators; I30, I31. */
describe('due facts of proposals', () => {
  const world = testOffers();

  /** A paid order of `count` lines, each creator answering as the seed decides. */
  const paid = async (count = 1) => {
    const lines = Array.from({ length: count }, (_none, n) => aSignedLine({ number: n + 1 }));
    const order = anOrder({ lines });
    await world.deliver(world.consumers.order, order);
    return order;
  };
  const silenced = async () => {
    const order = await paid();
    const { line } = await world.move(order.workspace, order.lines[0]?.line_id ?? '', silence);
    return { order, lineId: line._id };
  };
  const silence = (before: Chain) => playSilence(before, false, null, new Date('2026-11-21T12:00:00Z'));
  const chainOf = (ws: string, lineId: string) => world.chainOf(ws, lineId);
  const storyOf = async (lines: { line_id: string }[]) =>
    Promise.all(
      lines.map(async ({ line_id }) =>
        (await world.emitted(line_id)).map((event) => [
          event.version,
          event.proposal.state,
          event.proposal.updated_at,
          event.booked,
          event.scheduled_date,
        ]),
      ),
    );

  it('produce the same events after one jump of ten days as after ten jumps of one day', async () => {
    const [atOnce, byDays] = [await paid(30), await paid(30)];
    await world.jump(atOnce.workspace, '2026-12-01T12:00:00Z');
    for (let day = 1; day <= 10; day += 1) {
      await world.jump(byDays.workspace, new Date(Date.parse('2026-11-21T12:00:00Z') + day * DAY_MS).toISOString());
    }
    const story = await storyOf(atOnce.lines);
    expect(await storyOf(byDays.lines)).toEqual(story);
    const ends = story.map((events) => events.at(-1)?.[1]);
    const states = story.flatMap((events) => events.map(([, state]) => state));
    expect(states).toEqual(expect.arrayContaining(['declined', 'no_reply']));
    expect([...new Set(ends)].sort()).toEqual(['accepted', 'unfilled']);
  });

  it('leave other sandboxes alone, and are handled once', async () => {
    const [mine, other] = [await paid(5), await paid(5)];
    expect(await world.jump(mine.workspace, '2026-12-01T12:00:00Z')).toBeGreaterThan(4);
    expect(await world.jump(mine.workspace, '2026-12-01T12:00:00Z')).toBe(0);
    expect((await storyOf(other.lines)).every((events) => events.length === 1)).toBe(true);
  });

  it('expire a proposal at its deadline and not a millisecond earlier', async () => {
    proves('proposals.48-hours');
    const { order, lineId } = await silenced();
    expect(await world.jump(order.workspace, '2026-11-23T11:59:59.999Z')).toBe(0);
    expect(await world.jump(order.workspace, '2026-11-23T12:00:00.000Z')).toBe(2);
    expect((await world.emitted(lineId)).map(({ proposal }) => proposal.state)).toEqual([
      'sent',
      'no_reply',
      'unfilled',
    ]);
  });

  it('ask the team about a live line for which nobody was found', async () => {
    proves('proposals.unfilled');
    const order = anOrder({ sandbox: false });
    await world.deliver(world.consumers.order, order);
    await world.liveSweep('2026-11-24T12:00:00.000Z');
    const tasks = await world.shell.outbox.rows.find({ 'payload.about.order_id': order.order_id }).toArray();
    expect(tasks.map(({ payload }) => payload)).toMatchObject([
      { kind: 'line_unfilled', note: 'By 2026-12-21T00:00:00.000Z; then the line is credited.' },
    ]);
    const [line] = order.lines;
    expect((await chainOf(order.workspace, line?.line_id ?? '')).proposal?.state).toBe('unfilled');
  });

  it('replace creators in the order of the lines, each with another one', async () => {
    proves('proposals.next-is-found');
    world.found.candidates = [aReplacement(), aReplacement(), aReplacement()];
    const order = await paid(3);
    for (const { line_id } of order.lines) await world.move(order.workspace, line_id, silence);
    await world.jump(order.workspace, '2026-11-23T12:00:00.000Z');
    const creators = await Promise.all(
      order.lines.map(async ({ line_id }) => (await chainOf(order.workspace, line_id)).line.creator_id),
    );
    expect(creators).toEqual(world.found.candidates.map(({ creator_id: id }) => id));
    const [first] = creators;
    expect(world.searches.slice(-2).every(({ exclude }) => exclude.includes(first ?? ''))).toBe(true);
    world.found.candidates = [];
  });

  describe('of many live lines', () => {
    const EXPIRY = new Date('2026-11-23T12:00:00.000Z');
    /** A live order whose proposals were sent and expire at one time. */
    const sent = async (count: number) => {
      const lines = Array.from({ length: count }, (_none, n) => aSignedLine({ number: n + 1 }));
      const order = anOrder({ sandbox: false, lines });
      await world.deliver(world.consumers.order, order);
      const [ws, open] = [order.workspace, { state: 'sent' as const, expires_at: EXPIRY, due_at: EXPIRY }];
      await world.offers.proposals.updateMany({ ws }, { $set: { ...open, undelivered_at: null } });
      return order;
    };
    const creatorsOf = async ({ workspace, lines }: Awaited<ReturnType<typeof sent>>) =>
      Promise.all(lines.map(async ({ line_id }) => (await chainOf(workspace, line_id)).line.creator_id));
    const statesOf = async (lineId: string) =>
      (await world.emitted(lineId)).map(({ version, attempt, proposal }) => [version, attempt, proposal.state]);

    afterEach(() => {
      world.found.candidates = [];
      world.refuse.search = null;
    });

    it('expire and find their next creators in one transaction, no two of an order the same', async () => {
      world.found.candidates = Array.from({ length: 5 }, () => aReplacement());
      const orders = [await sent(3), await sent(2)];
      const before = world.searches.length;
      expect(await world.liveSweep(EXPIRY.toISOString())).toBe(10);
      // One search for each order, and none that begins again because two lines chose one creator.
      expect(world.searches.length - before).toBe(2);
      const best = world.found.candidates.map(({ creator_id }) => creator_id);
      for (const order of orders)
        expect((await creatorsOf(order)).sort()).toEqual(best.slice(0, order.lines.length).sort());
      for (const { lines } of orders)
        for (const { line_id } of lines)
          expect(await statesOf(line_id)).toEqual([
            [1, 1, 'sending'],
            [2, 1, 'no_reply'],
            [3, 2, 'sending'],
          ]);
    });

    it('are handled although the search of one order fails, which is retried', async () => {
      world.found.candidates = [aReplacement()];
      const [bad, good] = [await sent(1), await sent(1)];
      world.refuse.search = (campaignId) => campaignId === bad.campaign.campaign_id;
      await world.liveSweep(EXPIRY.toISOString());
      const stateOf = async ({ workspace, lines }: typeof bad) =>
        (await chainOf(workspace, lines[0]?.line_id ?? '')).proposal.state;
      expect([await stateOf(bad), await stateOf(good)]).toEqual(['sent', 'sending']);

      world.refuse.search = null;
      await world.shell.store.db.collection('put_off').updateMany({}, { $set: { next_at: new Date(0) } });
      await world.liveSweep(EXPIRY.toISOString());
      expect([await stateOf(bad), await stateOf(good)]).toEqual(['sending', 'sending']);
    });

    it('are handled although one of them changes at the same moment', async () => {
      world.found.candidates = [aReplacement(), aReplacement()];
      const order = await sent(2);
      const [first] = order.lines;
      const before = await chainOf(order.workspace, first?.line_id ?? '');
      world.refuse.search = () => {
        world.refuse.search = null;
        return world.save(before, accept(before, new Date('2026-11-23T11:00:00.000Z'), '2026-12-02')).then(() => false);
      };
      await world.liveSweep(EXPIRY.toISOString());
      const chains = await Promise.all(order.lines.map(({ line_id }) => chainOf(order.workspace, line_id)));
      expect(chains.map(({ line, proposal }) => [line.version, proposal.attempt, proposal.state])).toEqual([
        [2, 1, 'accepted'],
        [3, 2, 'sending'],
      ]);
    });
  });

  it('leave live work alone when a sandbox jumps ten years', async () => {
    const paid_at = (await world.shell.store.now()).toISOString();
    const [live, sandbox] = [anOrder({ sandbox: false, paid_at }), anOrder({ paid_at })];
    await world.deliver(world.consumers.order, live);
    await world.deliver(world.consumers.order, sandbox);
    await world.clocks.set(sandbox.workspace, 3_650 * DAY_MS);
    const time = await world.clocks.recent(0);
    for (const sweep of world.due.sweeps()) await sweep.run(time, null);
    expect((await chainOf(live.workspace, live.lines[0]?.line_id ?? '')).proposal.state).toBe('sending');
    expect((await chainOf(sandbox.workspace, sandbox.lines[0]?.line_id ?? '')).proposal.state).not.toBe('sent');
  });

  it('let either the answer or the expiry win, never both', async () => {
    const { order, lineId } = await silenced();
    const before = await chainOf(order.workspace, lineId);
    const answer = accept(before, new Date('2026-11-23T11:59:59.999Z'), '2026-12-02');
    const expiry = dueMoveAt(before, new Date('2026-11-23T12:00:00Z'));
    if (expiry === null) throw new Error('the deadline has passed');
    const ends = await Promise.allSettled([answer, expiry].map((move) => world.save(before, move)));
    expect(ends.map((end) => end.status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = ends.find((end) => end.status === 'rejected');
    expect(lost?.status === 'rejected' ? lost.reason : null).toBeInstanceOf(LostRace);
    const { line, proposal } = await chainOf(order.workspace, lineId);
    expect(line.booked).toBe(proposal.state === 'accepted');
  });

  it('lose to any change of the line, even when the proposal is unchanged', async () => {
    const { order, lineId } = await silenced();
    const before = await chainOf(order.workspace, lineId);
    const paid = { line: { ...before.line, rev: before.line.rev + 1 }, proposal: before.proposal };
    await inTx(world.shell.store, Deadline.in(5_000), (tx) => world.offers.put(tx, [{ before, after: paid }]));
    const answer = accept(before, new Date('2026-11-22T12:00:00Z'), '2026-12-02');
    await expect(world.save(before, answer)).rejects.toBeInstanceOf(LostRace);
    expect((await chainOf(order.workspace, lineId)).proposal.state).toBe('sent');
  });

  it('refuse an answer after the deadline in the statement, whatever was decided before', async () => {
    const { order, lineId } = await silenced();
    const before = await chainOf(order.workspace, lineId);
    const tooLate = accept(before, new Date('2026-11-23T12:00:00.000Z'), '2026-12-02');
    await expect(world.save(before, tooLate)).rejects.toBeInstanceOf(LostRace);
  });

  it('run when the clock’s event arrives, which never moves the clock back', async () => {
    const order = await paid(5);
    const advanced = {
      aggregate: order.workspace,
      version: 2,
      workspace: order.workspace,
      offset_ms: 3_650 * DAY_MS,
      at: '2026-11-21T12:00:00.000Z',
    };
    for (const event of [advanced, { ...advanced, version: 1, offset_ms: DAY_MS }]) {
      await world.deliver(world.consumers.clock, event);
      await world.consumers.clock.applied?.([event] as never);
    }
    expect((await storyOf(order.lines)).map((events) => events.at(-1)?.[1])).not.toContain('sent');
    const time = await world.clocks.read([order.workspace]);
    expect(time.of(order.workspace).getTime() - time.network.getTime()).toBe(3_650 * DAY_MS);
  });

  it('run at once for a sandbox whose clock is ahead when a payment arrives', async () => {
    const workspace = randomUUID();
    const order = anOrder({
      workspace,
      lines: Array.from({ length: 8 }, (_none, n) => aSignedLine({ number: n + 1 })),
    });
    await world.clocks.set(workspace, 3_650 * DAY_MS);
    await world.deliver(world.consumers.order, order);
    await world.consumers.order.applied?.([order] as never);
    const states = (await storyOf(order.lines)).map((events) => events.at(-1)?.[1]);
    expect(states).not.toContain('sent');
  });
});

import { deliverAll } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { brokenAt } from '../domain/integrity.js';
import { aBooking, anOrder } from '../test/builders.js';
import { testPosts } from '../test/suite.js';

/** docs/reliability.md#events: events arrive in any order and any number of times. */
describe('the projection of lines', () => {
  const world = testPosts();

  it('ends the same in whatever order and however often its events arrive', async () => {
    const inOrder = anOrder();
    const [line] = inOrder.lines;
    if (line === undefined) throw new Error('the order has no line');
    const booking = aBooking(inOrder, line);
    const offered = { ...booking, version: 1, booked: false };
    await world.deliver(world.consumers.line, booking);
    await world.deliver(world.consumers.line, offered);
    await world.deliver(world.consumers.order, inOrder);
    await world.deliver(world.consumers.order, { ...inOrder, version: 1, payment_state: 'unpaid' });
    await world.deliver(world.consumers.line, booking);

    const kept = await world.lines.byId(inOrder.workspace, line.line_id);
    expect(kept).toMatchObject({
      signed: { version: 2, payment_state: 'paid', slot: 'Launch post' },
      offer: { version: 2, booked: true },
    });
    expect(await world.posts.rows.countDocuments({ _id: line.line_id })).toBe(1);
    expect(await world.emitted(line.line_id)).toEqual([]);
  });

  it.each([
    { events: 'one by one', atOnce: 1 },
    { events: 'together', atOnce: 3 },
  ])('goes on with the chain of a line whose events arrive $events', async ({ atOnce }) => {
    const order = await world.booked();
    const { workspace } = order;
    const [line] = order.lines;
    if (line === undefined) throw new Error('the order has no line');
    await world.jump(workspace, '2026-12-01T22:00:00Z');
    const attempt = (number: number, version: number, over: Partial<ReturnType<typeof aBooking>> = {}) => {
      const updated_at = `2026-12-02T0${version}:00:00.000Z`;
      const proposal = { state: 'accepted' as const, replaced_creator_id: null, updated_at };
      return aBooking(order, line, { version, attempt: number, scheduled_date: '2026-12-08', proposal, ...over });
    };
    const again = [attempt(1, 3, { booked: false }), attempt(2, 4), attempt(2, 5, { booked: false })];
    for (let from = 0; from < again.length; from += atOnce)
      await deliverAll(
        world.shell.store,
        world.consumers.line,
        again.slice(from, from + atOnce),
        new Date('2026-12-02T06:00:00Z'),
      );

    const kinds = async () => (await world.deps.integrity.ofLine(workspace, line.line_id)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['accepted', 'withdrawn']);
    expect((await world.posts.byLine(workspace, line.line_id))?.integrity?.seq).toBe(2);
    await world.deliver(world.consumers.line, attempt(3, 6));
    await world.jump(workspace, '2026-12-12T00:00:00Z');
    expect((await world.posts.byLine(workspace, line.line_id))?.published_at).not.toBeNull();
    const chain = await world.deps.integrity.ofLine(workspace, line.line_id);
    expect(chain.map(({ kind }) => kind).slice(0, 3)).toEqual(['accepted', 'withdrawn', 'accepted']);
    expect(brokenAt(chain)).toBeNull();
  });

  it('is invisible to another workspace', async () => {
    const order = await world.booked();
    expect(await world.lines.byId('another', order.lines[0]?.line_id ?? '')).toBeNull();
    expect(await world.posts.byLine('another', order.lines[0]?.line_id ?? '')).toBeNull();
  });
});

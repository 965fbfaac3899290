import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aBooking, anOrder, aSignedLine } from '../test/builders.js';
import { postsOnMongo } from '../test/posts-on-mongo.js';

/** docs/reliability.md#events: events arrive in any order and any number of times. */
describe('the projection of lines', () => {
  let world: Awaited<ReturnType<typeof postsOnMongo>>;

  beforeAll(async () => {
    world = await postsOnMongo();
  });
  afterAll(() => world.drop());

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

  it('makes no post for a line booked after its refund arrived', async () => {
    const order = anOrder({ payment_state: 'refunded', version: 3 });
    const [line] = order.lines;
    if (line === undefined) throw new Error('the order has no line');
    await world.deliver(world.consumers.order, order);
    await world.deliver(world.consumers.line, aBooking(order, line));
    expect(await world.posts.byLine(order.workspace, line.line_id)).toBeNull();
  });

  it('is invisible to another workspace', async () => {
    const order = await world.booked();
    expect(await world.lines.byId('another', order.lines[0]?.line_id ?? '')).toBeNull();
    expect(await world.posts.byLine('another', order.lines[0]?.line_id ?? '')).toBeNull();
  });

  it('makes no sandbox plan for a live workspace', async () => {
    const order = await world.booked({ sandbox: false, lines: [aSignedLine()] });
    expect(await world.posts.byLine(order.workspace, order.lines[0]?.line_id ?? '')).toMatchObject({
      plan: null,
      due_at: new Date('2026-12-05T00:00:00Z'),
    });
  });
});

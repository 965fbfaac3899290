import { describe, expect, it } from '@jest/globals';
import { aSignedLine } from '../test/builders.js';
import { testPosts } from '../test/suite.js';

const DAY_MS = 86_400_000;

/** docs/domain/orders.md#clock-jobs, docs/domain/orders.md#sandbox-creators. */
describe('due facts of posts', () => {
  const world = testPosts();

  const someLines = (count: number) => Array.from({ length: count }, (_none, n) => aSignedLine({ number: n + 1 }));
  const storyOf = (lines: { line_id: string }[]) =>
    Promise.all(
      lines.map(async ({ line_id }) => {
        const [events, readings, post] = await Promise.all([
          world.emitted(line_id),
          world.readings.rows.find({ line_id }).sort({ captured_at: 1 }).toArray(),
          world.posts.rows.findOne({ _id: line_id }),
        ]);
        return {
          events: events.map(({ version, status, published_at, still_up_at }) => ({
            version,
            status,
            published_at,
            still_up_at,
          })),
          readings: readings.map(({ _id, ws, line_id: _line, post_id: _post, ...figures }) => figures),
          disclosure: post?.disclosure,
        };
      }),
    );

  it('produce the same events after one jump of 45 days as after 45 jumps of one day', async () => {
    const [atOnce, byDays] = [
      await world.booked({ lines: someLines(12) }),
      await world.booked({ lines: someLines(12) }),
    ];
    await world.jump(atOnce.workspace, '2027-01-05T12:00:00Z');
    for (let day = 1; day <= 45; day += 1) {
      await world.jump(byDays.workspace, new Date(Date.parse('2026-11-21T12:00:00Z') + day * DAY_MS).toISOString());
    }
    const story = await storyOf(atOnce.lines);
    expect(await storyOf(byDays.lines)).toEqual(story);
    expect(story.filter((line) => line.readings.length === 8).length).toBeGreaterThan(9);
  });

  it('are read at each due point’s own time, and complete the line at seven days', async () => {
    const order = await world.booked();
    const lineId = order.lines[0]?.line_id ?? '';
    await world.jump(order.workspace, '2027-01-05T12:00:00Z');
    const post = await world.posts.byLine(order.workspace, lineId);
    const published = post?.published_at?.getTime() ?? 0;
    const readings = await world.readings.ofLine(order.workspace, lineId);
    expect(readings.map((one) => (one.captured_at.getTime() - published) / 3_600_000)).toEqual([
      1, 6, 24, 48, 72, 168, 336, 720,
    ]);
    expect(await world.emitted(lineId)).toMatchObject([
      { version: 1, status: 'live', published_at: new Date(published).toISOString(), still_up_at: null },
      { version: 2, status: 'completed', still_up_at: new Date(published + 7 * DAY_MS).toISOString() },
    ]);
    const taken = await world.readingsTaken(lineId);
    expect(taken.map(({ version, snapshots }) => [version, snapshots])).toEqual(
      readings.map((_one, index) => [index + 1, index + 1]),
    );
    expect(taken.at(-1)).toMatchObject({
      published_at: new Date(published).toISOString(),
      latest: { captured_at: readings.at(-1)?.captured_at.toISOString(), views: readings.at(-1)?.views },
      previous: { captured_at: readings.at(-2)?.captured_at.toISOString() },
      still_up: { checked_at: new Date(published + 7 * DAY_MS).toISOString(), views: readings[5]?.views },
    });
    expect(await world.jump(order.workspace, '2027-01-05T12:00:00Z')).toBe(0);
  });

  it('hold the post back until the payment has reached catalog', async () => {
    const order = await world.booked();
    world.catalog.hasHeardOfThePayment = false;
    expect(await world.jump(order.workspace, '2026-12-02T00:00:00Z')).toBe(0);
    world.catalog.hasHeardOfThePayment = true;
    expect(await world.jump(order.workspace, '2026-12-02T00:00:00Z')).toBeGreaterThan(0);
  });

  it('block a live workspace’s line whose post is missing, and report it once', async () => {
    const order = await world.booked({ sandbox: false });
    const lineId = order.lines[0]?.line_id ?? '';
    await world.liveSweep('2026-12-04T23:59:59.999Z');
    expect(await world.emitted(lineId)).toEqual([]);
    await world.liveSweep('2026-12-05T00:00:00.000Z');
    await world.liveSweep('2026-12-06T00:00:00.000Z');
    expect(await world.emitted(lineId)).toMatchObject([
      { version: 1, status: 'blocked', blocked_reason: 'post_missing' },
    ]);
  });

  it('leave live work alone when a sandbox jumps ten years', async () => {
    const now = await world.shell.store.now();
    const scheduled_date = new Date(now.getTime() + 10 * DAY_MS).toISOString().slice(0, 10);
    const [live, sandbox] = [
      await world.booked({ sandbox: false, lines: [aSignedLine({ scheduled_date })] }),
      await world.booked({ lines: [aSignedLine({ scheduled_date })] }),
    ];
    await world.clocks.set(sandbox.workspace, 3_650 * DAY_MS);
    const time = await world.clocks.recent(0);
    for (const sweep of world.due.sweeps()) await sweep.run(time, null);
    expect(await world.emitted(live.lines[0]?.line_id ?? '')).toEqual([]);
    expect(await world.emitted(sandbox.lines[0]?.line_id ?? '')).not.toEqual([]);
  });

  it('of one instant are handled in the order of the lines', async () => {
    const order = await world.booked({ lines: someLines(8).reverse() });
    const ws = order.workspace;
    await world.posts.rows.updateMany({ ws }, { $set: { plan: null, due_at: new Date('2026-12-05T00:00:00.000Z') } });
    await world.jump(ws, '2026-12-05T00:00:00.000Z');
    const emitted = await world.shell.outbox.rows.find({ 'payload.workspace': ws }).sort({ $natural: 1 }).toArray();
    const numbers = new Map(order.lines.map(({ line_id, number }) => [line_id, number]));
    expect(emitted.map(({ aggregate }) => numbers.get(aggregate))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('end with the order', async () => {
    const order = await world.booked();
    const lineId = order.lines[0]?.line_id ?? '';
    await world.jump(order.workspace, '2026-12-02T12:00:00Z');
    const before = (await world.readings.ofLine(order.workspace, lineId)).length;
    await world.deliver(world.consumers.order, { ...order, version: 3, payment_state: 'refunded' });
    expect(await world.jump(order.workspace, '2027-01-05T12:00:00Z')).toBe(0);
    expect(await world.readings.ofLine(order.workspace, lineId)).toHaveLength(before);
  });
});

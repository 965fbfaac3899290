import { randomUUID } from 'node:crypto';
import { Deadline, inTx, type Store, type Tx } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NewDelivery, WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookLanes } from './webhook-lanes.js';

const LEASE_MS = 30_000;

/** What is sent to an endpoint, by aggregate (docs/domain/events.md#webhooks). */
describe('a lane', () => {
  let store: Store;
  let drop: () => Promise<void>;
  let deliveries: WebhookDeliveries;
  let lanes: WebhookLanes;

  beforeAll(async () => {
    ({ store, drop } = await testStore('webhook_lanes'));
    deliveries = new WebhookDeliveries(store);
    lanes = new WebhookLanes(store);
    await store.migrate();
  });
  afterAll(() => drop());

  const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTx(store, Deadline.in(30_000), work);
  const add = (one: NewDelivery): Promise<void> =>
    within(async (tx) => {
      await deliveries.add(tx, [one]);
      await lanes.open(tx, [one]);
    });
  const aLane = () => {
    const [ws, endpoint_id] = [randomUUID(), randomUUID()];
    const lane = `${endpoint_id}|plan|${randomUUID()}`;
    return (seq: number): NewDelivery => ({
      ...{ _id: randomUUID(), ws, endpoint_id, event_id: randomUUID(), lane, seq },
      ...{ kind: 'plan.changed', body: `{"seq":${seq}}` },
    });
  };

  test('stays when a delivery is added while its last one is recorded', async () => {
    const delivery = aLane();
    const [first, second] = [delivery(1), delivery(2)];
    await add(first);
    const due = (await lanes.those(first.ws, [first.lane])).get(first.lane);
    const held = due && (await lanes.claim(due, LEASE_MS));
    const stored = await deliveries.byId(first.ws, first._id);
    if (!held || stored === null) throw new Error('nothing is due');

    const looked = Promise.withResolvers<void>();
    const added = Promise.withResolvers<void>();
    const attempt = { at: new Date(), status: 204, problem: null, duration_ms: 1 };
    const recorded = within(async (tx) => {
      await deliveries.attempted(tx, stored, attempt, 'delivered');
      const next = await deliveries.next(held, tx);
      looked.resolve();
      await added.promise;
      return lanes.advance(tx, held, next);
    });
    await looked.promise;
    await add(second);
    added.resolve();

    expect(await recorded).toMatchObject({ head: 2, claim: null });
    expect((await lanes.those(first.ws, [first.lane])).get(first.lane)).toMatchObject({ head: 2 });
    expect(await deliveries.next(held)).toMatchObject({ _id: second._id });
  });

  test('of a disabled endpoint is not due until that is enabled, unless it is a test', async () => {
    const event = aLane()(1);
    const { ws, endpoint_id } = event;
    const asked = { ...aLane()(0), ws, endpoint_id };
    const due = async () =>
      (await lanes.due([])).filter((one) => one.endpoint_id === endpoint_id).map(({ _id }) => _id);
    await add(event);
    await within(async (tx) => {
      await deliveries.add(tx, [asked]);
      await lanes.open(tx, [asked], true);
    });
    expect(new Set(await due())).toEqual(new Set([event.lane, asked.lane]));
    await within((tx) => lanes.pause(tx, ws, endpoint_id));
    expect(await due()).toEqual([asked.lane]);
    await within((tx) => lanes.resume(tx, ws, endpoint_id));
    expect(new Set(await due())).toEqual(new Set([event.lane, asked.lane]));
  });

  test('closes with its last delivery, and opens again with the next', async () => {
    const delivery = aLane();
    const first = delivery(1);
    await add(first);
    const due = (await lanes.those(first.ws, [first.lane])).get(first.lane);
    const held = due && (await lanes.claim(due, LEASE_MS));
    if (!held) throw new Error('nothing is due');
    await within((tx) => lanes.advance(tx, held, null));
    expect((await lanes.those(first.ws, [first.lane])).size).toBe(0);

    await add(delivery(2));
    expect((await lanes.those(first.ws, [first.lane])).get(first.lane)).toMatchObject({ head: 2, claim: null });
  });
});

import { Deadline, inTx, LostRace, sweepTime } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RailEvent } from '../domain/payment-event.js';
import { PaymentEvents } from './payment-events.js';

let events: PaymentEvents;
let test: Awaited<ReturnType<typeof testStore>>;
beforeAll(async () => {
  test = await testStore('payment_events');
  events = new PaymentEvents(test.store);
  await test.store.migrate();
});
afterAll(() => test.drop());

const railEvent = (id: string, cause = 'first') => ({ event_id: id, workspace: 'ws', cause }) as RailEvent;
const BODY = '{"name":"A Payer"}';
const at = new Date('2026-11-21T12:00:00Z');
const networkAt = (afterMs: number) => sweepTime(new Date(at.getTime() + afterMs), new Map()).network;
const settle = (id: string) => inTx(test.store, Deadline.in(5_000), (tx) => events.settle(tx, id, 'applied', null));

describe('a payment event (3.10)', () => {
  it('is stored once, as it first arrived', async () => {
    await events.receive('sandbox', railEvent('one'), BODY, at);
    await events.receive('sandbox', railEvent('one', 'second'), BODY, at);
    expect(await events.byId('sandbox|one')).toMatchObject({ event: { cause: 'first' }, state: 'new' });
  });

  it('keeps its body while it waits, so that a replica of the version before can apply it', async () => {
    await events.receive('sandbox', railEvent('body'), BODY, at);
    expect(await events.byId('sandbox|body')).toMatchObject({ raw: BODY });
    await events.park('sandbox|body', at);
    expect(await events.byId('sandbox|body')).toMatchObject({ raw: BODY, state: 'parked' });
    await settle('sandbox|body');
    expect(await events.byId('sandbox|body')).not.toHaveProperty('raw');
  });

  it('is settled by one worker; the other loses the race', async () => {
    await events.receive('sandbox', railEvent('two'), BODY, at);
    await settle('sandbox|two');
    await expect(settle('sandbox|two')).rejects.toBeInstanceOf(LostRace);
  });

  it('waits while parked, and is due again later', async () => {
    await events.receive('sandbox', railEvent('three'), BODY, at);
    await events.park('sandbox|three', new Date(at.getTime() + 1_000));
    expect(await events.due(networkAt(0), 'ws')).not.toContain('sandbox|three');
    expect(await events.due(networkAt(1_000), null)).toContain('sandbox|three');
    await settle('sandbox|three');
    await events.park('sandbox|three', at);
    expect((await events.byId('sandbox|three'))?.state).toBe('applied');
  });

  it('of an older release loses its body once it is settled, then or later', async () => {
    const rows = test.store.db.collection<{ _id: string }>('payment_events');
    const old = { rail: 'stripe', ws: 'ws', raw: '{"name":"A Payer"}', reason: null, received_at: at, next_at: at };
    await rows.insertMany([
      { ...old, _id: 'stripe|old', state: 'applied' },
      { ...old, _id: 'stripe|waits', state: 'new' },
    ] as never[]);
    expect([await events.forgetBodies(), await events.forgetBodies()]).toEqual([1, 0]);
    expect((await events.byId('stripe|waits'))?.raw).toContain('A Payer');
    await settle('stripe|waits');
    for (const id of ['stripe|old', 'stripe|waits']) expect(await events.byId(id)).not.toHaveProperty('raw');
  });

  it('loses to an earlier delivery when it is booked with its effect', async () => {
    await events.receive('sandbox', railEvent('four'), BODY, at);
    await expect(
      inTx(test.store, Deadline.in(5_000), (tx) => events.applyFresh(tx, 'sandbox', railEvent('four'), at)),
    ).rejects.toBeInstanceOf(LostRace);
  });
});
